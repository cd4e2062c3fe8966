import { BoundedMap } from "./bounded-map.ts";
import { ports } from "./ports.ts";

interface CacheEntry<T> {
  readonly sinceMs: number;
  readonly value: Promise<T>;
}

/** Caches up to `maxEntries` promises for `ttlMs` of the runtime's clock. A rejected promise is not cached. */
export class TtlCache<T> {
  readonly #ttlMs: number;
  readonly #entries: BoundedMap<CacheEntry<T>>;

  constructor(maxEntries: number, ttlMs: number) {
    this.#ttlMs = ttlMs;
    this.#entries = new BoundedMap(maxEntries);
  }

  /** Returns the cached promise of a key, or else that of `load`. Concurrent callers share one promise. */
  get(key: string, load: () => Promise<T>): Promise<T> {
    const nowMs = ports().clock.now();
    const cached = this.#entries.get(key);
    if (cached && nowMs - cached.sinceMs < this.#ttlMs) return cached.value;
    const entry = { sinceMs: nowMs, value: load() };
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    entry.value.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    return entry.value;
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }
}
