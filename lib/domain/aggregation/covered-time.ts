/** Stretches of time that are covered, none touching another, in order. */
export class CoveredTime {
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];

  get isEmpty(): boolean {
    return this.#begins.length === 0;
  }

  /** Whether an instant lies in a stretch, its begin included, its end excluded. */
  has(ms: number): boolean {
    const index = this.#firstEndingAfter(ms);
    return (this.#begins[index] ?? Number.POSITIVE_INFINITY) <= ms;
  }

  /** How much of the time from `begin` to `end` is covered, ms. */
  within(begin: number, end: number): number {
    return this.inside(begin, end).reduce((covered, [from, to]) => covered + to - from, 0);
  }

  /** The parts of the time from `begin` to `end` that are covered. */
  inside(begin: number, end: number): [begin: number, end: number][] {
    const parts: [number, number][] = [];
    for (let index = this.#firstEndingAfter(begin); (this.#begins[index] ?? end) < end; index++) {
      parts.push([Math.max(begin, this.#begins[index] ?? 0), Math.min(end, this.#ends[index] ?? 0)]);
    }
    return parts;
  }

  /** The parts of it that are not. */
  outside(begin: number, end: number): [begin: number, end: number][] {
    const covered = this.inside(begin, end);
    const from = [begin, ...covered.map(([, until]) => until)];
    const to = [...covered.map(([start]) => start), end];
    return from.map((one, index): [number, number] => [one, to[index] ?? one]).filter(([one, other]) => one < other);
  }

  /** Covers more stretches. @param stretches in order of their begins. */
  add(stretches: readonly (readonly [begin: number, end: number])[]): void {
    const all = merged(this.stretches(), stretches);
    this.#begins.length = 0;
    this.#ends.length = 0;
    for (const [begin, end] of all) {
      const last = this.#ends.at(-1);
      if (last !== undefined && begin <= last) this.#ends[this.#ends.length - 1] = Math.max(last, end);
      else {
        this.#begins.push(begin);
        this.#ends.push(end);
      }
    }
  }

  stretches(): [begin: number, end: number][] {
    return this.#begins.map((begin, index) => [begin, this.#ends[index] ?? begin]);
  }

  #firstEndingAfter(ms: number): number {
    let low = 0;
    let high = this.#ends.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#ends[middle] ?? 0) <= ms) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

type Stretch = readonly [begin: number, end: number];

function merged(one: readonly Stretch[], other: readonly Stretch[]): Stretch[] {
  const all: Stretch[] = [];
  let next = 0;
  for (const stretch of one) {
    for (let more = other[next]; more && more[0] < stretch[0]; more = other[++next]) all.push(more);
    all.push(stretch);
  }
  return [...all, ...other.slice(next)];
}
