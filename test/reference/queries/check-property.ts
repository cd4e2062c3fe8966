import fc from "fast-check";

/** The result of many random runs of one property. */
export interface PropertyResult {
  readonly runs: number;
  /** The smallest counterexample with its seed, for people; undefined without one. */
  readonly problem: string | undefined;
}

/** Checks `runs` random values. @param seed reproduces the values. */
export function checkProperty<T>(
  values: fc.Arbitrary<T>,
  check: (value: T) => void,
  runs: number,
  seed: number,
): PropertyResult {
  const details = fc.check(fc.property(values, check), { numRuns: runs, seed });
  return { runs: details.numRuns, problem: fc.defaultReportMessage(details) };
}
