import { ports } from "./ports.ts";

interface Remembered<T> {
  readonly sinceMs: number;
  readonly value: Promise<T>;
}

/** Caches up to `most` promises for `forMs` of the runtime's clock. A rejected promise is not cached. */
export class ShortMemory<T> {
  readonly #most: number;
  readonly #forMs: number;
  readonly #known = new Map<string, Remembered<T>>();

  constructor(most: number, forMs: number) {
    this.#most = most;
    this.#forMs = forMs;
  }

  /** Returns the cached promise of a key, or else that of `ask`. Concurrent callers share one promise. */
  get(name: string, ask: () => Promise<T>): Promise<T> {
    const known = this.#known.get(name);
    const ageMs = known && ports().clock.now() - known.sinceMs;
    if (known && ageMs !== undefined && ageMs < this.#forMs) return known.value;
    return this.#remember(name, ask());
  }

  forget(name: string): void {
    this.#known.delete(name);
  }

  #remember(name: string, value: Promise<T>): Promise<T> {
    const remembered = { sinceMs: ports().clock.now(), value };
    this.#known.delete(name);
    const [oldest] = this.#known.keys();
    if (this.#known.size >= this.#most && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(name, remembered);
    value.catch(() => {
      if (this.#known.get(name) === remembered) this.#known.delete(name);
    });
    return value;
  }
}
