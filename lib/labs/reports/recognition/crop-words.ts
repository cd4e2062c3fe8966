import type { ReportWord } from "../../../domain/lab-reports/page/report-page.ts";
import { findConnectedComponents } from "../image/connected-components.ts";
import { createWhiteImage, type PageImage, type PixelBox } from "../image/grey-image.ts";

/** A crop of the page, and its left edge on the crop sheet. */
interface Crop extends PixelBox {
  readonly sheetLeft: number;
}

/** Crops of one text line, with their vertical positions on the page and on the sheet. */
interface CropRow {
  readonly pieces: readonly Crop[];
  readonly top: number;
  readonly bottom: number;
  readonly sheetTop: number;
}

/** Words cropped from a page onto a sheet, which OCR reads faster than the page. */
export interface CropSheet {
  readonly sheet: PageImage;
  /** Maps words recognised on the sheet to the page. Drops words that span two crops. */
  readonly mapToPage: (words: readonly ReportWord[]) => ReportWord[];
}

const POINTS_PER_INCH = 72;
const INK = 128;
/** Padding of each crop, in inches; smaller than the space between lines. */
const CROP_PADDING_INCHES = 0.012;
/** Gaps between crops that are not adjacent on the page, and between rows, in inches. */
const GAP_INCHES = 0.16;
const ROW_GAP_INCHES = 0.08;
/** Crops with a gap below this share of their height become one. */
const MAX_JOIN_GAP_SHARE = 0.6;
/** Size of uncovered ink that counts as print, in inches. */
const PRINT_INCHES = { least: 0.03, most: 0.35 };

/** Crops words from a page, and all print that no word covers. */
export function cropWords(page: PageImage, words: readonly ReportWord[], isWanted: (word: ReportWord) => boolean) {
  const scale = page.dpi / POINTS_PER_INCH;
  const wanted = words.filter(isWanted).map((word) => boxOf(word, scale));
  const boxes = [
    ...wanted,
    ...findUncoveredPrint(
      page,
      words.map((word) => boxOf(word, scale)),
    ),
  ];
  return layOutCrops(
    page,
    groupIntoRows(boxes.filter(({ top, bottom }) => bottom - top <= PRINT_INCHES.most * page.dpi)),
  );
}

const boxOf = ({ left, top, width, height }: ReportWord, scale: number): PixelBox => ({
  left: Math.round(left * scale),
  top: Math.round(top * scale),
  right: Math.round((left + width) * scale),
  bottom: Math.round((top + height) * scale),
});

/** Connected components of letter size outside all words. */
function findUncoveredPrint(page: PageImage, read: readonly PixelBox[]): PixelBox[] {
  const [least, most] = [PRINT_INCHES.least * page.dpi, PRINT_INCHES.most * page.dpi];
  return findConnectedComponents(page, INK).filter((patch) => {
    const [x, y] = [(patch.left + patch.right) / 2, (patch.top + patch.bottom) / 2];
    const [width, height] = [patch.right - patch.left, patch.bottom - patch.top];
    if (Math.max(width, height) < least || Math.max(width, height) > most) return false;
    return !read.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  });
}

/** Groups boxes into text lines from left to right, and joins nearby boxes. */
function groupIntoRows(boxes: readonly PixelBox[]): PixelBox[][] {
  const rows: PixelBox[][] = [];
  for (const box of boxes.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const row = rows.findLast((other) => isInLine(other.at(-1)!, box));
    if (row) row.push(box);
    else rows.push([box]);
  }
  return rows.map((row) => joinNearbyBoxes(row.toSorted((a, b) => a.left - b.left)));
}

function isInLine(one: PixelBox, other: PixelBox): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared >= 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

function joinNearbyBoxes(row: readonly PixelBox[]): PixelBox[] {
  const height = Math.max(...row.map(({ top, bottom }) => bottom - top));
  const pieces: PixelBox[] = [];
  for (const box of row) {
    const last = pieces.at(-1);
    if (!last || box.left - last.right > MAX_JOIN_GAP_SHARE * height) pieces.push(box);
    else
      pieces.splice(-1, 1, {
        left: last.left,
        top: Math.min(last.top, box.top),
        right: Math.max(last.right, box.right),
        bottom: Math.max(last.bottom, box.bottom),
      });
  }
  return pieces;
}

function layOutCrops(page: PageImage, lines: readonly (readonly PixelBox[])[]): CropSheet {
  const edge = Math.round(CROP_PADDING_INCHES * page.dpi);
  const [gap, rowGap] = [Math.round(GAP_INCHES * page.dpi), Math.round(ROW_GAP_INCHES * page.dpi)];
  const rows: CropRow[] = [];
  let [width, height] = [gap, rowGap];
  for (const line of lines) {
    const top = Math.max(0, Math.min(...line.map((box) => box.top)) - edge);
    const bottom = Math.min(page.height, Math.max(...line.map((box) => box.bottom)) + edge);
    let sheetLeft = gap;
    const pieces = line.map((box) => {
      const [left, right] = [Math.max(0, box.left - edge), Math.min(page.width, box.right + edge)];
      const piece = { left, right, top, bottom, sheetLeft };
      sheetLeft += right - left + gap;
      return piece;
    });
    rows.push({ pieces, top, bottom, sheetTop: height });
    width = Math.max(width, sheetLeft);
    height += bottom - top + rowGap;
  }
  const sheet = { ...createWhiteImage(width, height), dpi: page.dpi };
  for (const row of rows) pasteRow(page, sheet, row);
  return { sheet, mapToPage: (words) => words.flatMap((word) => mapToPage(word, rows, page.dpi / POINTS_PER_INCH)) };
}

function pasteRow(page: PageImage, sheet: PageImage, { pieces, top, bottom, sheetTop }: CropRow): void {
  for (const { left, right, sheetLeft } of pieces)
    for (let y = top; y < bottom; y++)
      sheet.pixels.set(
        page.pixels.subarray(y * page.width + left, y * page.width + right),
        (sheetTop + y - top) * sheet.width + sheetLeft,
      );
}

function mapToPage(word: ReportWord, rows: readonly CropRow[], scale: number): ReportWord[] {
  const [middle, left, right] = [
    (word.top + word.height / 2) * scale,
    word.left * scale,
    (word.left + word.width) * scale,
  ];
  const row = rows.findLast(({ sheetTop }) => sheetTop <= middle);
  const piece = row?.pieces.findLast(({ sheetLeft }) => sheetLeft <= left + 1);
  if (!row || !piece || right > piece.sheetLeft + piece.right - piece.left + 1) return [];
  const [across, down] = [piece.left - piece.sheetLeft, row.top - row.sheetTop];
  return [{ ...word, left: word.left + across / scale, top: word.top + down / scale }];
}
