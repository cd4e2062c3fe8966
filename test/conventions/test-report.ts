import { relative } from "node:path";
import * as z from "zod";

/** The parts of vitest's JSON report that this project reads: files with their tests. */
export const testReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
export type TestReport = z.output<typeof testReport>;

/** Numbers of passed and failed tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts the tests of a report. A file that failed to run counts as one failure.
 * @param isFiltered whether tests were excluded on purpose. Otherwise a test that did not run counts as failed, because
 * no test is skipped.
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

const firstLine = (text = "") => text.split("\n", 1)[0] ?? "";

/**
 * One line per failure, `file > test: message`, or one line for a file that failed to run.
 * @param root prefix of file names.
 */
export function failures({ testResults }: TestReport, root: string): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((assertion) => assertion.status === "failed");
    if (status === "failed" && failed.length === 0) return [`${file}: ${firstLine(message)}`];
    return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`);
  });
}
