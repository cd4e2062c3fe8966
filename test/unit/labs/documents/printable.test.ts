import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toPrintable } from "../../../../lib/labs/documents/printable.ts";

describe("a text for the built-in fonts", () => {
  test.each([
    ["≥60", ">=60"],
    ["≤ 0.5", "<= 0.5"],
    ["10⁹/L", "10^9/L"],
    ["10⁻¹² mol", "10^-12 mol"],
    ["10³/µL and m²", "10³/µL and m²"],
    ["μg", "µg"],
    ["H₂O", "H2O"],
    ["β-hCG", "beta-hCG"],
    ["−3.5", "-3.5"],
    ["Škoda Müller Nowák", "Škoda Müller Nowák"],
    ["Dvořák", "Dvorák"],
    ["Mu\u0308ller", "Müller"],
    ["ﬁt\u200b", "fit"],
    ["a\tb\u0000c\u2028d\r\ne", "a b c d\ne"],
    ["血 🩸", "? ?"],
  ])("%s is printed as %s", (text, printed) => {
    expect(toPrintable(text)).toBe(printed);
  });

  test("contains only characters of code page 1252, keeps ASCII, and is idempotent", () => {
    const is1252 = (text: string) => /^[\n\x20-\x7e\xa0-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/.test(text);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary-ascii" }), (any, ascii) => {
        expect(is1252(toPrintable(any))).toBe(true);
        expect(toPrintable(toPrintable(any))).toBe(toPrintable(any));
        const plain = ascii.replaceAll(/[^\x20-\x7e]/g, "");
        expect(toPrintable(plain)).toBe(plain);
      }),
    );
  });
});
