import { expect, test } from "vitest";
import { createWhiteImage } from "../../../../lib/labs/reports/image/grey-image.ts";
import { cropImage, splitSideBySide } from "../../../../lib/labs/reports/recognition/split-side-by-side.ts";

const DPI = 100;
const [WIDTH, HEIGHT] = [800, 1000];

/** A page with lines of print on both sides of its middle. @param shift how many pixels lower the right lines are. */
function pageOf(shift: number) {
  const page = { ...createWhiteImage(WIDTH, HEIGHT), dpi: DPI };
  const print = (left: number, right: number, top: number) => {
    for (let y = top; y < top + 10; y++) page.pixels.fill(0, y * WIDTH + left, y * WIDTH + right);
  };
  print(60, 740, 40);
  for (let line = 0; line < 30; line++) {
    print(60, 370, 200 + line * 20);
    print(430, 740, 200 + line * 20 + shift);
  }
  return page;
}

test("side-by-side tables with misaligned lines are separate parts", () => {
  const parts = splitSideBySide(pageOf(9));
  expect(parts).toHaveLength(3);
  const [head, left, right] = parts;
  expect(head).toMatchObject({ left: 0, right: WIDTH, top: 0 });
  expect(head?.bottom).toBeGreaterThanOrEqual(50);
  expect(left?.right).toBe(right?.left);
  expect(left?.right).toBeGreaterThan(370);
  expect(left?.right).toBeLessThan(430);
});

test("the columns of one table with aligned lines stay together", () => {
  expect(splitSideBySide(pageOf(0))).toEqual([{ left: 0, top: 0, right: WIDTH, bottom: HEIGHT }]);
});

test("a part contains the pixels of its region of the page", () => {
  const page = pageOf(9);
  const part = cropImage(page, { left: 430, top: 205, right: 435, bottom: 215 });
  expect([part.width, part.height, part.dpi]).toEqual([5, 10, DPI]);
  expect([part.pixels[0], part.pixels[4 * 5]]).toEqual([255, 0]);
});
