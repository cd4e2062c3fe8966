/** A measurement of a body: when, on which local date, and the values; an absent or null value was not measured. */
export interface BodyMeasurement {
  readonly calendar_date: string;
  /** Orders the measurements of a date. */
  readonly atMs: number;
  readonly values: Readonly<Record<string, number | null | undefined>>;
}

/**
 * Summarizes measurements as the `body` of each date: the latest of each value. A stored `body` is replaced as a whole,
 * so callers pass whole days as far as the provider allows it.
 */
export function toBodyDays(measurements: readonly BodyMeasurement[]) {
  const days = Map.groupBy(measurements, ({ calendar_date }) => calendar_date);
  return [...days].flatMap(([calendar_date, all]) => {
    const ordered = all.toSorted((one, other) => one.atMs - other.atMs);
    const measured = ordered.flatMap(({ values }) => Object.entries(values)).filter(([, value]) => value != null);
    return measured.length === 0 ? [] : [{ calendar_date, ...Object.fromEntries(measured) }];
  });
}
