import type { SpecRow } from "./spec-rows.ts";
import type { TestReport } from "./test-report.ts";

/** What the tests say of the specification's statements. */
export interface SpecCheck {
  /** Statements that a passed test proves. */
  readonly proven: number;
  /** What is wrong, a sentence each. */
  readonly problems: readonly string[];
}

/** An id in the name of a test: `refuses undo after seven days [user-deletion-05]`. */
const idInName = /\[([a-z]+(?:-[a-z]+)*-\d{2})\]/g;

/**
 * Checks that every statement is proven by a passed test that carries its id, except those on `notYet`, which must not be
 * (so that the list only shrinks), and that no test carries an id that does not exist.
 */
export function checkSpec(rows: readonly SpecRow[], notYet: readonly string[], report: TestReport): SpecCheck {
  const tests = report.testResults.flatMap(({ assertionResults }) => assertionResults);
  const idsOf = ({ fullName }: { fullName: string }) => [...fullName.matchAll(idInName)].map(([, id = ""]) => id);
  const proven = new Set(tests.filter(({ status }) => status === "passed").flatMap(idsOf));
  const known = new Set(rows.map(({ id }) => id));
  const named = new Set(tests.flatMap(idsOf));
  const problems = [
    ...[...named].filter((id) => !known.has(id)).map((id) => `a test names ${id}, which is no statement`),
    ...rows
      .filter(({ id }) => !notYet.includes(id) && !proven.has(id))
      .map(({ id, statement }) => `no passed test proves ${id}: ${statement}`),
    ...notYet.filter((id) => proven.has(id)).map((id) => `${id} is proven: take it off the list notYet`),
  ];
  return { proven: rows.filter(({ id }) => proven.has(id)).length, problems };
}
