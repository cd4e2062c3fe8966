import type { SpecRow } from "./spec-rows.ts";
import type { TestReport } from "./test-report.ts";

/** The result of the check. */
export interface SpecCheck {
  /** Number of statements that a passed test proves. */
  readonly proven: number;
  /** Problems, one sentence each. */
  readonly problems: readonly string[];
}

/** An id in a test title: `refuses undo after seven days [user-deletion-05]`. */
const idInName = /\[([a-z]+(?:-[a-z]+)*-\d{2})\]/g;

/**
 * Checks that every statement is proven by a passed test with its id. Statements in `notYet` must be unproven, so that
 * the list only shrinks. Every id in a test title has to exist.
 */
export function checkSpec(rows: readonly SpecRow[], notYet: readonly string[], report: TestReport): SpecCheck {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const idsOf = ({ fullName }: { fullName: string }) => [...fullName.matchAll(idInName)].map(([, id = ""]) => id);
  const proven = new Set(tests.filter(({ status }) => status === "passed").flatMap(idsOf));
  const known = new Set(rows.map(({ id }) => id));
  const named = new Set(tests.flatMap(idsOf));
  const problems = [
    ...[...named].filter((id) => !known.has(id)).map((id) => `a test names ${id}, which does not exist`),
    ...rows
      .filter(({ id }) => !notYet.includes(id) && !proven.has(id))
      .map(({ id, statement }) => `no passed test proves ${id}: ${statement}`),
    ...notYet
      .filter((id) => proven.has(id))
      .map((id) => `${id} is proven: remove it from the list of unproven statements`),
  ];
  return { proven: rows.filter(({ id }) => proven.has(id)).length, problems };
}
