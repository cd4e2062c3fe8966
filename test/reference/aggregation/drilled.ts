import fc from "fast-check";

/** What many random runs of one property came to. */
export interface Drilled {
  readonly runs: number;
  /** The smallest counterexample with its seed, for people; undefined where none was found. */
  readonly problem: string | undefined;
}

/** Checks so many values. @param seed gives the same values again. */
export function drill<T>(values: fc.Arbitrary<T>, check: (value: T) => void, runs: number, seed: number): Drilled {
  const details = fc.check(fc.property(values, check), { numRuns: runs, seed });
  return { runs: details.numRuns, problem: fc.defaultReportMessage(details) };
}
