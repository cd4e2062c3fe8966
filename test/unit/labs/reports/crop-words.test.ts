import { expect, test } from "vitest";
import type { ReportWord } from "../../../../lib/domain/lab-reports/page/report-page.ts";
import { createWhiteImage } from "../../../../lib/labs/reports/image/grey-image.ts";
import { cropWords } from "../../../../lib/labs/reports/recognition/crop-words.ts";

const DPI = 144;
const word = (text: string, left: number, top: number): ReportWord => ({
  text,
  left,
  top,
  width: 20,
  height: 8,
  confidence: 95,
});

/** A page at two pixels per point, with a bar of ink at each word. */
function pageOf(words: readonly ReportWord[]) {
  const image = createWhiteImage(1000, 400);
  for (const { left, top, width, height } of words)
    for (let y = top * 2; y < (top + height) * 2; y++)
      image.pixels.fill(0, y * 1000 + left * 2, y * 1000 + (left + width) * 2);
  return { ...image, dpi: DPI };
}

/** The left edges of the ink in each row of crops of a sheet, in points. */
function inkOf({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }) {
  const places: { left: number; top: number }[] = [];
  const isInk = (x: number, y: number) => x >= 0 && y >= 0 && pixels[y * width + x] === 0;
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (isInk(x, y) && !isInk(x - 1, y) && !isInk(x, y - 1)) places.push({ left: x / 2, top: y / 2 });
  return places;
}

const [name, value, unit, below] = [
  word("Glucose", 20, 50),
  word("112", 240, 50),
  word("mg/dL", 420, 50),
  word("5.4", 240, 70),
];
const words = [name, value, unit, below];
const isWanted = ({ text }: ReportWord) => text !== "Glucose";

test("selected words are packed closely on a sheet and map back to their position on the page", () => {
  const { sheet, mapToPage } = cropWords(pageOf(words), words, isWanted);
  expect(sheet.width * sheet.height).toBeLessThan((1000 * 400) / 10);
  const read = inkOf(sheet).map((place) => ({ ...value, ...place }));
  expect(mapToPage(read).map(({ left, top }) => [left, top])).toEqual(
    [value, unit, below].map(({ left, top }) => [left, top]),
  );
});

test("print outside all words is on the sheet too, and specks and large marks are not", () => {
  const passedOver = { ...word("*", 300, 50), width: 4, height: 5 };
  const speck = { ...word(".", 330, 50), width: 1, height: 1 };
  const logo = { ...word("", 20, 100), width: 60, height: 60 };
  const { sheet, mapToPage } = cropWords(pageOf([...words, passedOver, speck, logo]), words, () => false);
  expect(mapToPage(inkOf(sheet).map((place) => ({ ...passedOver, ...place })))).toEqual([passedOver]);
});

test("a word that was read across two crops is dropped", () => {
  const { sheet, mapToPage } = cropWords(pageOf(words), words, isWanted);
  const [first, second] = inkOf(sheet);
  const width = second!.left + value.width - first!.left;
  expect(mapToPage([{ ...value, ...first!, width }])).toEqual([]);
});

test("neighbouring words share one crop", () => {
  const range = [word("70", 240, 50), word("-", 262, 50)];
  const { sheet } = cropWords(pageOf(range), range, () => true);
  const [first, second] = inkOf(sheet);
  expect(second!.left - first!.left).toBe(22);
});
