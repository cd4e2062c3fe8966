import { afterEach, describe, expect, test } from "vitest";
import { requireEdge } from "../../../../lib/runtime/edge/require-edge.ts";
import { Forbidden } from "../../../../lib/runtime/errors.ts";

afterEach(() => {
  delete process.env.EDGE_SECRET;
});

describe("a request to the main API", () => {
  test("passes where nothing stands before it, whatever it shows", () => {
    expect(() => requireEdge({})).not.toThrow();
    expect(() => requireEdge({ "x-origin-secret": "anything" })).not.toThrow();
  });

  test("passes with the secret of CloudFront alone", () => {
    process.env.EDGE_SECRET = "the secret";
    expect(() => requireEdge({ "x-origin-secret": "the secret" })).not.toThrow();
  });

  test.each([{}, { "x-origin-secret": "" }, { "x-origin-secret": "the secre" }, { "x-origin-secret": "THE SECRET" }])(
    "is refused with %o, and not told what was expected",
    (headers) => {
      process.env.EDGE_SECRET = "the secret";
      expect(() => requireEdge(headers)).toThrow(Forbidden);
      expect(() => requireEdge(headers)).toThrow(
        expect.objectContaining({ detail: expect.not.stringContaining("secret") }),
      );
    },
  );
});
