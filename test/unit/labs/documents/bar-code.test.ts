import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawBarCode, encodeCode128, isScannableAt } from "../../../../lib/labs/documents/bar-code.ts";
import { createPdf, finishPdf } from "../../../../lib/labs/documents/canvas.ts";
import { readCode128 } from "./code-128.ts";
import { createdAtMs } from "./document-fixtures.ts";
import { readBarCodes } from "./read-pdf.ts";

const ascii = fc.string({
  unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
  minLength: 1,
  maxLength: 80,
});

describe("a bar code", () => {
  test("encodes its text", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(ascii, fc.stringMatching(/^\d{1,40}$/)), async (text) => {
        expect(readCode128(await encodeCode128(text))).toBe(text);
      }),
    );
  });

  test("decodes from its drawn bars in a box of any width", async () => {
    const texts = ["S-2026-0001", "0123456789", "x", "f47ac10b-58cc-4372-a567-0e02b2c3d479"];
    const pdf = await createPdf("Bars", createdAtMs);
    for (const [index, text] of texts.entries()) {
      drawBarCode(pdf, await encodeCode128(text), {
        left: 20,
        top: 20 + index * 50,
        width: 120 + index * 70,
        height: 30,
      });
    }
    expect(readBarCodes(await finishPdf(pdf))).toEqual(texts);
  });

  test("rejects text other than printable ASCII", async () => {
    for (const text of ["", "é", "a\n", "血液"]) await expect(encodeCode128(text)).rejects.toThrow("printable ASCII");
  });

  test("does not fit a box in which its bars are too narrow for scanners", async () => {
    const bars = await encodeCode128("f47ac10b-58cc-4372-a567-0e02b2c3d479");
    expect(isScannableAt(bars, 175)).toBe(false);
    expect(isScannableAt(bars, 267)).toBe(true);
  });
});
