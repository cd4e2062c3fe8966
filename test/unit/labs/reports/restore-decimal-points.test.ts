import { expect, test } from "vitest";
import { createWhiteImage } from "../../../../lib/labs/reports/image/grey-image.ts";
import { restoreDecimalPoints } from "../../../../lib/labs/reports/recognition/restore-decimal-points.ts";

/** A page at 72 dpi. Digits are bars of 8 x 12 pixels, and points are squares of 3 pixels at the baseline. */
function pageOf(number: string) {
  const image = createWhiteImage(200, 40);
  for (const [at, character] of [...number].entries()) {
    const size = character === "." ? { top: 25, width: 3 } : { top: 16, width: 8 };
    for (let y = size.top; y < 28; y++)
      image.pixels.fill(0, y * 200 + 20 + at * 12, y * 200 + 20 + at * 12 + size.width);
  }
  return { ...image, dpi: 72 };
}
const readAs = (text: string, number: string) => {
  const box = { left: 18, top: 15, width: number.length * 12 + 2, height: 14 };
  return restoreDecimalPoints([{ text, ...box, confidence: 96 }], pageOf(number)).map((one) => [
    one.text,
    one.confidence,
  ]);
};

test("a decimal point on the page is restored with reduced confidence", () => {
  expect(readAs("359", "35.9")).toEqual([["35.9", 80]]);
  expect(readAs("<05", "<0.5")).toEqual([["<0.5", 80]]);
  expect(readAs("41-5.1", "4.1-5.1")).toEqual([["4.1-5.1", 80]]);
});

test("a correctly read number stays, and so does a number whose digits do not match its ink", () => {
  expect(readAs("35.9", "35.9")).toEqual([["35.9", 96]]);
  expect(readAs("359", "359")).toEqual([["359", 96]]);
  expect(readAs("359", "35.99")).toEqual([["359", 96]]);
  expect(readAs("35.", "35.")).toEqual([["35.", 96]]);
  expect(readAs("HDL", "35.9")).toEqual([["HDL", 96]]);
});

test("the foot of a broken digit is not a decimal point", () => {
  const page = pageOf("98");
  for (let y = 24; y < 27; y++) page.pixels.fill(255, y * 200 + 18, y * 200 + 30);
  for (let y = 25; y < 28; y++) page.pixels.fill(0, y * 200 + 20, y * 200 + 23);
  page.pixels.fill(255, 24 * 200 + 20, 24 * 200 + 28);
  const word = { text: "98", left: 18, top: 15, width: 26, height: 14, confidence: 97 };
  expect(restoreDecimalPoints([word], page)).toEqual([word]);
});
