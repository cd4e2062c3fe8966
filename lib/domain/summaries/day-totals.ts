/** Totals of one resource's samples on one day. */
export interface DayTotal {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
}

/** Accumulates samples by day and resource. A sample that spans midnight counts completely for the day of its start. */
export class DayTotals<Resource extends string> {
  readonly #days: ReadonlyMap<number, Map<Resource, DayTotal | undefined>>;

  /** @param wanted the resources to accumulate for each day; other samples are ignored. */
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

  /** The totals of a day's resources; undefined for resources without a sample. */
  get(day: number): ReadonlyMap<Resource, DayTotal | undefined> {
    return this.#days.get(day) ?? new Map();
  }
}

const nothing: DayTotal = { count: 0, sum: 0, min: Number.POSITIVE_INFINITY, max: Number.NEGATIVE_INFINITY };
