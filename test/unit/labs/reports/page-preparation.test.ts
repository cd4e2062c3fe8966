import { expect, test } from "vitest";
import { createWhiteImage } from "../../../../lib/labs/reports/image/grey-image.ts";
import { maskBackground } from "../../../../lib/labs/reports/image/mask-background.ts";
import { removeNonText } from "../../../../lib/labs/reports/image/remove-non-text.ts";

const DPI = 100;

/** A white image with boxes of ink: left, top, width, height, shade. */
function imageOf(...boxes: readonly (readonly [number, number, number, number, number])[]) {
  const image = createWhiteImage(400, 300);
  for (const [left, top, width, height, shade] of boxes)
    for (let y = top; y < top + height; y++) image.pixels.fill(shade, y * 400 + left, y * 400 + left + width);
  return image;
}
const shadeAt = (image: ReturnType<typeof imageOf>, x: number, y: number) => image.pixels[y * image.width + x];

test("the background of a photographed sheet is painted in the paper color up to its edge", () => {
  const image = imageOf([0, 0, 400, 20, 90], [0, 0, 14, 300, 90], [60, 60, 4, 8, 20]);
  maskBackground(image, DPI);
  for (const [x, y] of [
    [5, 150],
    [13, 299],
    [200, 18],
  ] as const)
    expect(shadeAt(image, x, y)).toBe(255);
  expect(shadeAt(image, 61, 63)).toBe(20);
});

test("a dark bar of the report that reaches the edge stays", () => {
  const image = imageOf([0, 40, 400, 30, 60]);
  maskBackground(image, DPI);
  expect(shadeAt(image, 2, 50)).toBe(60);
});

test("a faint broken hairline is removed, and print on it and printed dashes stay", () => {
  const pieces = Array.from({ length: 12 }, (_, at) => [20 + at * 28, 100, 9, 1, 210] as const);
  const image = imageOf(...pieces, [60, 88, 8, 10, 0], [90, 94, 4, 1, 0]);
  removeNonText(image, DPI);
  expect(shadeAt(image, 22, 100)).toBe(255);
  expect([shadeAt(image, 62, 90), shadeAt(image, 91, 94)]).toEqual([0, 0]);
});

test("remains of a box are removed, and letters in a column stay", () => {
  const strokes = [0, 1, 2, 3].map((row) => [200, 40 + row * 14, 1, 9, 0] as const);
  const image = imageOf([100, 40, 1, 30, 180], [110, 200, 14, 1, 180], ...strokes);
  removeNonText(image, DPI);
  expect([shadeAt(image, 100, 50), shadeAt(image, 115, 200)]).toEqual([255, 255]);
  expect(shadeAt(image, 200, 45)).toBe(0);
});
