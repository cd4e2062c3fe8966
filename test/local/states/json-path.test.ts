import { describe, expect, test } from "vitest";
import { fill } from "../../../lib/local/states/data-flow.ts";
import { find, pathProblem, read, referencePathProblem, write } from "../../../lib/local/states/json-path.ts";

const sources = {
  input: { user: { id: "u1", "home town": "Bonn" }, list: [{ n: 1 }, { n: 2 }, {}], none: null },
  context: { Execution: { Name: "run" } },
};

describe("reading", () => {
  test.each([
    ["$", sources.input],
    ["$.user.id", "u1"],
    ["$.user['home town']", "Bonn"],
    ["$.list[1].n", 2],
    ["$.list[*].n", [1, 2]],
    ["$.none", null],
    ["$$.Execution.Name", "run"],
  ])("%s", (path, value) => expect(find(path, sources)).toEqual(value));

  test.each(["$.user.name", "$.list[3]", "$.user[0]", "$.user.constructor", "$.none.x"])("%s leads nowhere", (path) => {
    expect(find(path, sources)).toBeUndefined();
    expect(() => read(path, sources)).toThrow(`The path '${path}' could not be found`);
  });
});

describe("refused paths", () => {
  test.each(["$..id", "$.list[0:2]", "$.list[?(@.n==1)]", "$.list[-1]", "user", "States.Format('{}', $.a)", "$."])(
    "%s",
    (path) => expect(pathProblem(path)).toMatch(/not run locally/),
  );

  test.each(["$$.Execution", "$.list[*]"])("%s as a place to write to", (path) =>
    expect(referencePathProblem(path)).toMatch(/does not name one place/),
  );
});

describe("writing", () => {
  test("makes the objects on the way and leaves the original alone", () => {
    const target = { a: 1 };
    expect(write("$.b.c", target, 2)).toEqual({ a: 1, b: { c: 2 } });
    expect(target).toEqual({ a: 1 });
  });

  test("replaces a list member", () => expect(write("$.a[1]", { a: [1, 2] }, 3)).toEqual({ a: [1, 3] }));

  test("replaces everything at $", () => expect(write("$", { a: 1 }, "x")).toBe("x"));

  test.each([
    ["$.a.b", { a: "text" }],
    ["$.a[2]", { a: [1, 2] }],
  ])("%s does not fit %j", (path, target) =>
    expect(() => write(path, target, 1)).toThrow(expect.objectContaining({ error: "States.ResultPathMatchFailure" })),
  );
});

test("a payload template is filled at every depth", () => {
  const template = { fixed: "$.user.id", "id.$": "$.user.id", deep: [{ "name.$": "$$.Execution.Name" }, "$.x"] };
  expect(fill(template, sources)).toEqual({ fixed: "$.user.id", id: "u1", deep: [{ name: "run" }, "$.x"] });
});
