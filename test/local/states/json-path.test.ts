import { describe, expect, test } from "vitest";
import { fillPayloadTemplate } from "../../../lib/local/states/data-flow.ts";
import {
  findAtPath,
  findPathProblem,
  findReferencePathProblem,
  readAtPath,
  writeAtPath,
} from "../../../lib/local/states/json-path.ts";

const sources = {
  input: { user: { id: "u1", "home town": "Bonn" }, list: [{ n: 1 }, { n: 2 }, {}], none: null },
  context: { Execution: { Name: "run" } },
};

describe("reading a path", () => {
  test.each([
    ["$", sources.input],
    ["$.user.id", "u1"],
    ["$.user['home town']", "Bonn"],
    ["$.list[1].n", 2],
    ["$.list[*].n", [1, 2]],
    ["$.none", null],
    ["$$.Execution.Name", "run"],
  ])("%s", (path, value) => expect(findAtPath(path, sources)).toEqual(value));

  test.each(["$.user.name", "$.list[3]", "$.user[0]", "$.user.constructor", "$.none.x"])("%s has no value", (path) => {
    expect(findAtPath(path, sources)).toBeUndefined();
    expect(() => readAtPath(path, sources)).toThrow(`The path '${path}' could not be found`);
  });
});

describe("a path is refused", () => {
  test.each(["$..id", "$.list[0:2]", "$.list[?(@.n==1)]", "$.list[-1]", "user", "States.Format('{}', $.a)", "$."])(
    "%s",
    (path) => expect(findPathProblem(path)).toMatch(/not supported locally/),
  );

  test.each(["$$.Execution", "$.list[*]"])("%s as a target", (path) =>
    expect(findReferencePathProblem(path)).toMatch(/does not name a single place/),
  );
});

describe("writing to a path", () => {
  test("creates the intermediate objects and does not change the original", () => {
    const target = { a: 1 };
    expect(writeAtPath("$.b.c", target, 2)).toEqual({ a: 1, b: { c: 2 } });
    expect(target).toEqual({ a: 1 });
  });

  test("replaces a list member", () => expect(writeAtPath("$.a[1]", { a: [1, 2] }, 3)).toEqual({ a: [1, 3] }));

  test("replaces the whole document at $", () => expect(writeAtPath("$", { a: 1 }, "x")).toBe("x"));

  test.each([
    ["$.a.b", { a: "text" }],
    ["$.a[2]", { a: [1, 2] }],
  ])("fails for %s in %j", (path, target) =>
    expect(() => writeAtPath(path, target, 1)).toThrow(
      expect.objectContaining({ error: "States.ResultPathMatchFailure" }),
    ),
  );
});

test("a payload template is filled at every depth", () => {
  const template = { fixed: "$.user.id", "id.$": "$.user.id", deep: [{ "name.$": "$$.Execution.Name" }, "$.x"] };
  expect(fillPayloadTemplate(template, sources)).toEqual({
    fixed: "$.user.id",
    id: "u1",
    deep: [{ name: "run" }, "$.x"],
  });
});
