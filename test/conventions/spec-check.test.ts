import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkSpec } from "./spec-check.ts";
import { inBrowser, notYet, specRows } from "./spec-rows.ts";
import { failures, tally } from "./test-report.ts";

const row = (id: string) => ({ id, section: "Users", statement: `statement ${id}` });
const file = (...tests: [name: string, status: string][]) => ({
  name: "a.test.ts",
  status: tests.some(([, status]) => status === "failed") ? "failed" : "passed",
  assertionResults: tests.map(([fullName, status]) => ({ fullName, status })),
});
const reportOf = (...tests: [string, string][]) => ({ testResults: [file(...tests)] });

describe("a statement", () => {
  test("is proven by a passed test with its id", () => {
    const report = reportOf(["answers [users-01] the user [users-02]", "passed"]);
    expect(checkSpec([row("users-01"), row("users-02")], [], report)).toEqual({ proven: 2, problems: [] });
  });

  test("is not proven by a failed test, nor by a test with the id outside brackets", () => {
    const report = reportOf(["answers [users-01]", "failed"], ["answers users-01", "passed"]);
    const { proven, problems } = checkSpec([row("users-01")], [], report);
    expect({ proven, problems }).toEqual({
      proven: 0,
      problems: ["no passed test proves users-01: statement users-01"],
    });
  });

  test("may be on the list of unproven statements until it is proven", () => {
    const rows = [row("users-01"), row("users-02")];
    const report = reportOf(["answers [users-02]", "passed"]);
    const { problems } = checkSpec(rows, ["users-01", "users-02"], report);
    expect(problems).toEqual(["users-02 is proven: remove it from the list of unproven statements"]);
  });

  test("that does not exist cannot be named", () => {
    const { problems } = checkSpec([], [], reportOf(["answers [users-99]", "passed"], ["reads [1]", "passed"]));
    expect(problems).toEqual(["a test names users-99, which does not exist"]);
  });
});

describe("the tally", () => {
  test("counts unrunnable files and skipped tests as failures", () => {
    const broken = { name: "b.test.ts", status: "failed", assertionResults: [] };
    const run = file(["one", "passed"], ["two", "failed"], ["three", "skipped"]);
    expect(tally({ testResults: [run, broken] })).toEqual({ passed: 1, failed: 3 });
    expect(tally({ testResults: [run, broken] }, { isFiltered: true })).toEqual({ passed: 1, failed: 2 });
  });
});

test("failures have one line each, with the first line of their message", () => {
  const name = "/project/test/a.test.ts";
  const broken = { name, status: "failed", message: "no such module\nstack", assertionResults: [] };
  const [first, second] = ["failed", "passed"].map((status) => ({
    fullName: status,
    status,
    failureMessages: ["a\nb"],
  }));
  const run = { name, status: "failed", assertionResults: [first, second].filter((one) => one !== undefined) };
  expect(failures({ testResults: [broken, run] }, "/project")).toEqual([
    "test/a.test.ts: no such module",
    "test/a.test.ts > failed: a",
  ]);
});

describe("the list of statements", () => {
  const ids = specRows.map(({ id }) => id);

  test("has unique ids, numbered without gaps within a section", () => {
    const bySection = Map.groupBy(specRows, ({ section }) => section);
    const expected = [...bySection].flatMap(([section, rows]) => {
      const stem = section.toLowerCase().replaceAll(" ", "-");
      return rows.map((_, index) => `${stem}-${String(index + 1).padStart(2, "0")}`);
    });
    expect(ids).toEqual(expected);
  });

  test("lists the unproven statements in its own order", () => {
    expect(notYet).toEqual(ids.filter((id) => notYet.includes(id)));
  });

  test("marks statements about pages, which browser tests prove separately", () => {
    const files = globSync("test/browser/*.test.ts").map((path) => readFileSync(path, "utf8"));
    expect(inBrowser.filter((id) => !files.join().includes(`[${id}]`))).toEqual([]);
  });
});
