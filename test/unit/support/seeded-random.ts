/** Seeded random numbers (mulberry32): a seed gives the same sequence on every machine. */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    // Hash the seed first, because neighbouring seeds would start with similar numbers.
    this.#state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) | 0;
  }

  /** An integer from 0 up to, but not including, the limit. */
  integerBelow(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  }

  /** True with a probability of `share` percent. */
  isWithinPercent(share: number): boolean {
    return this.integerBelow(100) < share;
  }

  /** A random element of a non-empty list. */
  pick<T>(list: readonly T[]): T {
    return list[this.integerBelow(list.length)] as T;
  }

  /** A UUID of random digits. */
  uuid(): string {
    const digits = Array.from({ length: 32 }, () => this.integerBelow(16).toString(16)).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }
}
