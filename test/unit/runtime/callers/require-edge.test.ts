import { afterEach, describe, expect, test } from "vitest";
import type { Auth } from "../../../../lib/contract/endpoint.ts";
import { requireEdge } from "../../../../lib/runtime/callers/require-edge.ts";
import { Forbidden } from "../../../../lib/runtime/errors.ts";

afterEach(() => {
  delete process.env.EDGE_SECRET;
});

const enter = (headers: Record<string, string>, auth: Auth = "team", rawPath = "/v2/user") =>
  requireEdge({ auth }, { headers, rawPath });

describe("a request to the main API", () => {
  test("passes without an edge in front, regardless of its headers", () => {
    expect(() => enter({})).not.toThrow();
    expect(() => enter({ "x-origin-secret": "anything" })).not.toThrow();
  });

  test("passes only with CloudFront's secret", () => {
    process.env.EDGE_SECRET = "the secret";
    expect(() => enter({ "x-origin-secret": "the secret" })).not.toThrow();
  });

  test.each([{}, { "x-origin-secret": "" }, { "x-origin-secret": "the secre" }, { "x-origin-secret": "THE SECRET" }])(
    "is rejected with %o, without the expected value in the error",
    (headers) => {
      process.env.EDGE_SECRET = "the secret";
      expect(() => enter(headers)).toThrow(Forbidden);
      expect(() => enter(headers)).toThrow(expect.objectContaining({ detail: expect.not.stringContaining("secret") }));
    },
  );
});

test("a management operation requires the secret of sessions of the console, which come through CloudFront", () => {
  process.env.EDGE_SECRET = "the secret";
  expect(() => enter({}, "management", "/v1/org/1/team")).not.toThrow();
  expect(() => enter({}, "management", "/console/v1/org/1/team")).toThrow(Forbidden);
});
