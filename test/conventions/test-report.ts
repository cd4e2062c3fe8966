import * as z from "zod";

/** What vitest's JSON report says that we read: its files with their tests. */
export const testReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});
export type TestReport = z.output<typeof testReport>;

/** How many tests passed, and how many did not. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts a report. A file that could not be run counts as one failure.
 * @param isFiltered whether tests were left out on purpose; else one that did not run has failed, for none is skipped here.
 */
export function tally({ testResults }: TestReport, { isFiltered = false } = {}): Tally {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  const notRun = isFiltered ? 0 : tests.length - passed - failed;
  return { passed, failed: failed + brokenFiles.length + notRun };
}
