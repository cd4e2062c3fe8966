/** A set of disjoint, non-adjacent time intervals in ascending order. */
export class IntervalSet {
  readonly #begins: number[] = [];
  readonly #ends: number[] = [];

  get isEmpty(): boolean {
    return this.#begins.length === 0;
  }

  /** Whether an instant lies in an interval; the start is inclusive, the end exclusive. */
  has(ms: number): boolean {
    const index = this.#firstEndingAfter(ms);
    return (this.#begins[index] ?? Number.POSITIVE_INFINITY) <= ms;
  }

  /** Milliseconds between `begin` and `end` that the set covers. */
  coveredMs(begin: number, end: number): number {
    return this.intersect(begin, end).reduce((covered, [from, to]) => covered + to - from, 0);
  }

  /** The parts between `begin` and `end` that the set covers. */
  intersect(begin: number, end: number): [begin: number, end: number][] {
    const parts: [number, number][] = [];
    for (let index = this.#firstEndingAfter(begin); (this.#begins[index] ?? end) < end; index++) {
      parts.push([Math.max(begin, this.#begins[index] ?? 0), Math.min(end, this.#ends[index] ?? 0)]);
    }
    return parts;
  }

  /** The parts between `begin` and `end` that the set does not cover. */
  gaps(begin: number, end: number): [begin: number, end: number][] {
    const covered = this.intersect(begin, end);
    const from = [begin, ...covered.map(([, until]) => until)];
    const to = [...covered.map(([start]) => start), end];
    return from.map((one, index): [number, number] => [one, to[index] ?? one]).filter(([one, other]) => one < other);
  }

  /** Adds intervals. @param stretches sorted by start. */
  add(stretches: readonly (readonly [begin: number, end: number])[]): void {
    const all = mergeSorted(this.intervals(), stretches);
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

  intervals(): [begin: number, end: number][] {
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

type Interval = readonly [begin: number, end: number];

function mergeSorted(one: readonly Interval[], other: readonly Interval[]): Interval[] {
  const all: Interval[] = [];
  let next = 0;
  for (const stretch of one) {
    for (let more = other[next]; more && more[0] < stretch[0]; more = other[++next]) all.push(more);
    all.push(stretch);
  }
  return [...all, ...other.slice(next)];
}
