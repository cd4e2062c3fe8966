import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkSpec } from "./check-spec.ts";
import { browserProvenIds, specRows, unprovenIds } from "./spec-rows.ts";
import { countTests, describeFailures } from "./test-report.ts";

const row = (id: string) => ({ id, section: "Users", statement: `statement ${id}` });
const file = (...tests: [name: string, status: string, tag?: string][]) => ({
  name: "a.test.ts",
  status: tests.some(([, status]) => status === "failed") ? "failed" : "passed",
  assertionResults: tests.map(([fullName, status, tag]) => ({ fullName, status, tags: tag ? [tag] : [] })),
});
const reportOf = (...tests: [string, string][]) => ({ testResults: [file(...tests)] });

describe("a statement", () => {
  test("is proven by a passed test that carries its id", () => {
    const report = reportOf(["answers [users-01] the user [users-02]", "passed"]);
    expect(checkSpec([row("users-01"), row("users-02")], [], report)).toEqual({ proven: 2, problems: [] });
  });

  test("is not proven by a test that failed, nor by one that names it without brackets", () => {
    const report = reportOf(["answers [users-01]", "failed"], ["answers users-01", "passed"]);
    const { proven, problems } = checkSpec([row("users-01")], [], report);
    expect({ proven, problems }).toEqual({
      proven: 0,
      problems: ["no passed test proves users-01: statement users-01"],
    });
  });

  test("may wait on the list, but not once it is proven", () => {
    const rows = [row("users-01"), row("users-02")];
    const report = reportOf(["answers [users-02]", "passed"]);
    const { problems } = checkSpec(rows, ["users-01", "users-02"], report);
    expect(problems).toEqual(["users-02 is proven: take it off the list notYet"]);
  });

  test("that does not exist can not be named", () => {
    const { problems } = checkSpec([], [], reportOf(["answers [users-99]", "passed"], ["reads [1]", "passed"]));
    expect(problems).toEqual(["a test names users-99, which is no statement"]);
  });
});

describe("the tally", () => {
  test("counts files that can not be run, and tests that were skipped, as failures, except deep tests", () => {
    const broken = { name: "b.test.ts", status: "failed", assertionResults: [] };
    const run = file(["one", "passed"], ["two", "failed"], ["three", "skipped"], ["four", "skipped", "deep"]);
    const report = { testResults: [run, broken] };
    expect(countTests(report)).toEqual({ passed: 1, failed: 3, deferred: 1 });
    expect(countTests(report, { isFiltered: true })).toEqual({ passed: 1, failed: 2, deferred: 1 });
  });
});

test("failures are printed in a line each, with the first line of their reason", () => {
  const name = "/project/test/a.test.ts";
  const broken = { name, status: "failed", message: "no such module\nstack", assertionResults: [] };
  const [first, second] = ["failed", "passed"].map((status) => ({
    fullName: status,
    status,
    failureMessages: ["a\nb"],
    tags: [],
  }));
  const run = { name, status: "failed", assertionResults: [first, second].filter((one) => one !== undefined) };
  expect(describeFailures({ testResults: [broken, run] }, "/project")).toEqual([
    "test/a.test.ts: no such module",
    "test/a.test.ts > failed: a",
  ]);
});

describe("the list of statements", () => {
  const ids = specRows.map(({ id }) => id);

  test("has each id once, numbered without gaps within its section", () => {
    const bySection = Map.groupBy(specRows, ({ section }) => section);
    const expected = [...bySection].flatMap(([section, rows]) => {
      const stem = section.toLowerCase().replaceAll(" ", "-");
      return rows.map((_, index) => `${stem}-${String(index + 1).padStart(2, "0")}`);
    });
    expect(ids).toEqual(expected);
  });

  test("has the statements still to be proven in its own order", () => {
    expect(unprovenIds).toEqual(ids.filter((id) => unprovenIds.includes(id)));
  });

  test("has those about pages proven by browser tests, which are run apart", () => {
    const files = globSync("test/browser/*.test.ts").map((path) => readFileSync(path, "utf8"));
    expect(browserProvenIds.filter((id) => !files.join().includes(`[${id}]`))).toEqual([]);
  });
});
