import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorSummary } from "../../../lib/runtime/error-summary.ts";

const frame = "    at Object.<anonymous> (file:///var/task/index.mjs:1:1)";

/** Ordinary lines and lines that look like stack frames. */
const lines = fc.array(
  fc.oneof(
    fc.string({ minLength: 1, unit: "grapheme" }),
    fc.string({ minLength: 1 }).map((name) => `    at ${name}`),
    fc.string({ minLength: 1 }).map((name) => `    at Zoë${name} (file:///var/task/Zoë.mjs:1:1)`),
    fc.constant("    at Zoë (/var/task/Zoë.mjs:1:1)"),
  ),
  { minLength: 1, maxLength: 5 },
);

class OutOfRange extends Error {
  override name = "OutOfRange";
}

describe("the summary of an error", () => {
  test("contains nothing of any message", () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(Error, RangeError, OutOfRange), (text, Kind) => {
        const message = `Zoë ${text.join("\n")}`;
        const { stack = "" } = errorSummary(new Kind(message, { cause: new Error(message) }));
        expect(stack).not.toContain("Zoë");
        expect(stack).toContain("error-summary.test.ts");
      }),
    );
  });

  test("contains no frames when the end of the message is unknown", () => {
    const changed = new Error(`Zoë\n${frame}`);
    // V8 formats the stack on first access.
    expect(changed.stack).toContain("Zoë");
    changed.message = "changed";
    expect(errorSummary(changed)).toEqual({ error: "Error", stack: "" });
    const replaced = Object.assign(new Error("x"), { stack: `Zoë\n    at Zoë\nError: x\n${frame}` });
    expect(errorSummary(replaced).stack).not.toContain("Zoë");
  });

  test("contains the frames after an empty message and of an error that was renamed later", () => {
    expect(errorSummary(new Error()).stack).toContain("error-summary.test.ts");
    expect(errorSummary(Object.assign(new Error("x"), { name: "NotFoundException" }))).toMatchObject({
      error: "NotFoundException",
      stack: expect.stringContaining("error-summary.test.ts"),
    });
  });

  test("contains no invalid error name", () => {
    expect(errorSummary(Object.assign(new Error("x"), { name: "Zoë, born 2000-01-01" })).error).toBe("Error");
  });

  test("of a thrown value other than an error is its type", () => {
    expect(["Zoë", { name: "Zoë" }, null, undefined].map(errorSummary)).toEqual([
      { error: "string" },
      { error: "object" },
      { error: "object" },
      { error: "undefined" },
    ]);
  });

  test("of an unreadable error names only the type", () => {
    const hostile = new Error("x");
    Object.defineProperty(hostile, "stack", {
      get: () => {
        throw new Error("Zoë");
      },
    });
    expect(errorSummary(hostile)).toEqual({ error: "Error" });
  });

  test("contains at most eight frames", () => {
    const deep = (depth: number): Error => (depth === 0 ? new Error("x") : deep(depth - 1));
    expect(errorSummary(deep(20)).stack?.split("\n").length).toBeLessThanOrEqual(8);
  });
});
