/** What the samples of one resource on one day come to. */
export interface DayTotal {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Adds up samples by day and resource. One that spans midnight counts whole for the day on which it begins. */
export class DayTotals<Resource extends string> {
  readonly #days: ReadonlyMap<number, Map<Resource, DayTotal | undefined>>;

  /** @param wanted the resources of each day; samples of others are left out. */
  constructor(wanted: ReadonlyMap<number, Iterable<Resource>>) {
    const totalsOf = (resources: Iterable<Resource>) => new Map([...resources].map((name) => [name, undefined]));
    this.#days = new Map([...wanted].map(([day, resources]) => [day, totalsOf(resources)]));
  }

  add(resource: Resource, day: number, value: number): void {
    const totals = this.#days.get(day);
    if (!totals?.has(resource)) return;
    const { count, sum, min, max } = totals.get(resource) ?? nothing;
    const total = { count: count + 1, sum: sum + value, min: Math.min(min, value), max: Math.max(max, value) };
    totals.set(resource, total);
  }

  /** The wanted resources of a day, undefined for those without a sample. */
  of(day: number): ReadonlyMap<Resource, DayTotal | undefined> {
    return this.#days.get(day) ?? new Map();
  }
}

const nothing: DayTotal = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
