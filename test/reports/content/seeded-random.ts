/** Random numbers that are the same for the same seed on every machine. */
export class SeededRandom {
  #state: number;

  constructor(...seed: readonly (string | number)[]) {
    let hash = 2166136261;
    for (const letter of seed.join("/")) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619);
    this.#state = hash >>> 0;
  }

  /** A number in [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** An integer, both ends inclusive. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  boolean(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  }

  /** A random subset of the items, in their order. */
  sample<Item>(items: readonly Item[], count: number): Item[] {
    const ranked = items.map((item, place) => ({ item, place, rank: this.next() }));
    const kept = ranked.toSorted((left, right) => left.rank - right.rank).slice(0, count);
    return kept.toSorted((left, right) => left.place - right.place).map(({ item }) => item);
  }

  /** Digits, the first not zero. */
  digits(count: number): string {
    return Array.from({ length: count }, (_, place) => this.whole(place === 0 ? 1 : 0, 9)).join("");
  }
}
