import { relative } from "node:path";
import * as z from "zod";
import { DEEP_TAG } from "../../support/depth.ts";

/** What vitest's JSON report says that we read: its files with their tests. */
export const testReportSchema = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().optional(),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
          tags: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});
export type TestReport = z.output<typeof testReportSchema>;

type ReportedTest = TestReport["testResults"][number]["assertionResults"][number];

/** How many tests passed, how many did not, and how many this run deferred to `npm run test:deep`. */
export interface TestTally {
  readonly passed: number;
  readonly failed: number;
  readonly deferred: number;
}

/** Whether this run deferred a test to `npm run test:deep`. */
const isDeferred = ({ status, tags }: ReportedTest): boolean => status === "skipped" && tags.includes(DEEP_TAG);

/**
 * Counts a report. A file that could not be run counts as one failure.
 * @param isFiltered whether tests were left out on purpose; else one that did not run has failed, unless it is deep.
 */
export function countTests({ testResults }: TestReport, { isFiltered = false } = {}): TestTally {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const passed = tests.filter(({ status }) => status === "passed").length;
  const failed = tests.filter(({ status }) => status === "failed").length;
  const brokenFiles = testResults.filter(
    ({ status, assertionResults }) =>
      status === "failed" && !assertionResults.some((assertion) => assertion.status === "failed"),
  );
  const deferred = tests.filter(isDeferred).length;
  const notRun = isFiltered ? 0 : tests.length - passed - failed - deferred;
  return { passed, failed: failed + brokenFiles.length + notRun, deferred };
}

const firstLine = (text = "") => text.split("\n", 1)[0] ?? "";

/** A line for each failure, `file > test: why`; a file that could not be run has one. @param root what file names begin with. */
export function describeFailures({ testResults }: TestReport, root: string): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const failed = assertionResults.filter((assertion) => assertion.status === "failed");
    if (status === "failed" && failed.length === 0) return [`${file}: ${firstLine(message)}`];
    return failed.map(({ fullName, failureMessages }) => `${file} > ${fullName}: ${firstLine(failureMessages?.[0])}`);
  });
}
