import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { errorSummary } from "../../../lib/runtime/error-summary.ts";

const frame = "    at Object.<anonymous> (file:///var/task/index.mjs:1:1)";

/** Lines as people write them, and such that look like frames. */
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
  test("has nothing of its message, whatever that looks like", () => {
    fc.assert(
      fc.property(lines, fc.constantFrom(Error, RangeError, OutOfRange), (text, Kind) => {
        const message = `Zoë ${text.join("\n")}`;
        const { stack = "" } = errorSummary(new Kind(message, { cause: new Error(message) }));
        expect(stack).not.toContain("Zoë");
        expect(stack).toContain("error-summary.test.ts");
      }),
    );
  });

  test("has no frames where it is not known where the message ends", () => {
    const changed = new Error(`Zoë\n${frame}`);
    // V8 writes the stack when it is asked for first.
    expect(changed.stack).toContain("Zoë");
    changed.message = "changed";
    expect(errorSummary(changed)).toEqual({ error: "Error", stack: "" });
    const replaced = Object.assign(new Error("x"), { stack: `Zoë\n    at Zoë\nError: x\n${frame}` });
    expect(errorSummary(replaced).stack).not.toContain("Zoë");
  });

  test("has the frames behind an empty message, and of an error whose name was changed later", () => {
    expect(errorSummary(new Error()).stack).toContain("error-summary.test.ts");
    expect(errorSummary(Object.assign(new Error("x"), { name: "NotFoundException" }))).toMatchObject({
      error: "NotFoundException",
      stack: expect.stringContaining("error-summary.test.ts"),
    });
  });

  test("has no name that is no name", () => {
    expect(errorSummary(Object.assign(new Error("x"), { name: "Zoë, born 2000-01-01" })).error).toBe("Error");
  });

  test("of what is thrown and is no error is its type", () => {
    expect(["Zoë", { name: "Zoë" }, null, undefined].map(errorSummary)).toEqual([
      { error: "string" },
      { error: "object" },
      { error: "object" },
      { error: "undefined" },
    ]);
  });

  test("of an error that can not be read is that it was one", () => {
    const hostile = new Error("x");
    Object.defineProperty(hostile, "stack", {
      get: () => {
        throw new Error("Zoë");
      },
    });
    expect(errorSummary(hostile)).toEqual({ error: "Error" });
  });

  test("has at most eight frames", () => {
    const deep = (depth: number): Error => (depth === 0 ? new Error("x") : deep(depth - 1));
    expect(errorSummary(deep(20)).stack?.split("\n").length).toBeLessThanOrEqual(8);
  });
});
