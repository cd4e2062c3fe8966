import { afterEach, describe, expect, test } from "vitest";
import { requireEdge } from "../../../../lib/runtime/callers/require-edge.ts";
import { Forbidden } from "../../../../lib/runtime/errors.ts";

afterEach(() => {
  delete process.env.EDGE_SECRET;
});

describe("a request to the main API", () => {
  test("passes without an edge in front, regardless of its headers", () => {
    expect(() => requireEdge({})).not.toThrow();
    expect(() => requireEdge({ "x-origin-secret": "anything" })).not.toThrow();
  });

  test("passes only with CloudFront's secret", () => {
    process.env.EDGE_SECRET = "the secret";
    expect(() => requireEdge({ "x-origin-secret": "the secret" })).not.toThrow();
  });

  test.each([{}, { "x-origin-secret": "" }, { "x-origin-secret": "the secre" }, { "x-origin-secret": "THE SECRET" }])(
    "is rejected with %o, without the expected value in the error",
    (headers) => {
      process.env.EDGE_SECRET = "the secret";
      expect(() => requireEdge(headers)).toThrow(Forbidden);
      expect(() => requireEdge(headers)).toThrow(
        expect.objectContaining({ detail: expect.not.stringContaining("secret") }),
      );
    },
  );
});
