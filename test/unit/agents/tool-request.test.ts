import { expect, test } from "vitest";
import type { ToolDefinition } from "../../../lib/domain/agents/tool-definition.ts";
import { createToolRequest } from "../../../lib/domain/agents/tool-request.ts";
import { toVisibleJson } from "../../../lib/domain/agents/visible-json.ts";

const tool: ToolDefinition = {
  ...{
    name: "read",
    title: "Read",
    description: "Reads.",
    inputSchema: {},
    outputSchema: {},
    scope: "read",
    reach: "user",
  },
  ...{ method: "POST", path: "/v2/{user_id}/{kind}", shortening: { kind: "whole" }, rest: "Nothing." },
  pathFields: ["user_id", "kind"],
  queryFields: ["from", "status"],
  bodyFields: ["query"],
};

test("arguments become path, query and body", () => {
  const given = { user_id: "a/b?c", kind: "sleep", from: 3, status: ["new", "old"], query: { a: [1] } };
  expect(createToolRequest(tool, given)).toEqual({
    method: "POST",
    target: "/v2/a%2Fb%3Fc/sleep?from=3&status=new&status=old",
    body: '{"query":{"a":[1]}}',
  });
});

test("absent and null arguments are left out, and a tool without a body sends none", () => {
  const { target, body } = createToolRequest(
    { ...tool, bodyFields: [] },
    { user_id: "a", kind: "b", from: null },
  ) as never;
  expect([target, body]).toEqual(["/v2/a/b", undefined]);
});

test.each([
  ["an unknown argument", { other: 1 }, "other"],
  ["an empty segment", { kind: "" }, "kind"],
  ["a segment that leads up", { kind: ".." }, "kind"],
  ["a segment that leads nowhere", { kind: "." }, "kind"],
  ["a segment that is an object", { kind: {} }, "kind"],
  ["a segment that no URL can contain", { kind: "\ud800" }, "kind"],
  ["an object in the query", { from: {} }, "from"],
  ["a list of objects in the query", { status: [{}] }, "status"],
])("%s is a problem, which does not repeat the value", (_, more, name) => {
  const outcome = createToolRequest(tool, { user_id: "a", kind: "b", ...more });
  expect(outcome).toMatchObject({ problems: [{ loc: ["arguments", name], msg: expect.stringMatching(/^[A-Z]/) }] });
});

test("JSON shows invisible characters, and parses to the same value", () => {
  const value = { text: "a\u200bb\u202ec\u{e0041}\u2028\u00ad\u0085", emoji: "\u{1f44d}" };
  const text = toVisibleJson(value);
  expect(text).toBe('{"text":"a\\u200bb\\u202ec\\udb40\\udc41\\u2028\\u00ad\\u0085","emoji":"\u{1f44d}"}');
  expect(JSON.parse(text)).toEqual(value);
});
