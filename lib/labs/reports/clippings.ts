import type { ReportWord } from "../../domain/lab-reports/report-page.ts";
import { components } from "./components.ts";
import { type Box, type PageImage, whiteImage } from "./grey-image.ts";

/** A crop of the page, and its left edge on the crop sheet. */
interface Piece extends Box {
  readonly sheetLeft: number;
}

/** Crops of one text line, with their vertical positions on the page and on the sheet. */
interface Row {
  readonly pieces: readonly Piece[];
  readonly top: number;
  readonly bottom: number;
  readonly sheetTop: number;
}

/** Words cropped from a page onto a sheet, which OCR reads faster than the page. */
export interface Clippings {
  readonly sheet: PageImage;
  /** Maps words recognised on the sheet to the page. Drops words that span two crops. */
  readonly onPage: (words: readonly ReportWord[]) => ReportWord[];
}

const POINTS = 72;
const INK = 128;
/** Padding of each crop, in inches; smaller than the space between lines. */
const EDGE_INCHES = 0.012;
/** Gaps between crops that are not adjacent on the page, and between rows, in inches. */
const GAP_INCHES = 0.16;
const ROW_GAP_INCHES = 0.08;
/** Crops with a gap below this share of their height become one. */
const NEAR_SHARE = 0.6;
/** Size of uncovered ink that counts as print, in inches. */
const PRINT_INCHES = { least: 0.03, most: 0.35 };

/** Crops words from a page, and all print that no word covers. */
export function clippingsOf(page: PageImage, words: readonly ReportWord[], isWanted: (word: ReportWord) => boolean) {
  const scale = page.dpi / POINTS;
  const wanted = words.filter(isWanted).map((word) => boxOf(word, scale));
  const boxes = [
    ...wanted,
    ...unreadPrint(
      page,
      words.map((word) => boxOf(word, scale)),
    ),
  ];
  return onSheet(page, rowsOf(boxes.filter(({ top, bottom }) => bottom - top <= PRINT_INCHES.most * page.dpi)));
}

const boxOf = ({ left, top, width, height }: ReportWord, scale: number): Box => ({
  left: Math.round(left * scale),
  top: Math.round(top * scale),
  right: Math.round((left + width) * scale),
  bottom: Math.round((top + height) * scale),
});

/** Connected components of letter size outside all words. */
function unreadPrint(page: PageImage, read: readonly Box[]): Box[] {
  const [least, most] = [PRINT_INCHES.least * page.dpi, PRINT_INCHES.most * page.dpi];
  return components(page, INK).filter((patch) => {
    const [x, y] = [(patch.left + patch.right) / 2, (patch.top + patch.bottom) / 2];
    const [width, height] = [patch.right - patch.left, patch.bottom - patch.top];
    if (Math.max(width, height) < least || Math.max(width, height) > most) return false;
    return !read.some(({ left, top, right, bottom }) => x >= left && x <= right && y >= top && y <= bottom);
  });
}

/** Groups boxes into text lines from left to right, and joins nearby boxes. */
function rowsOf(boxes: readonly Box[]): Box[][] {
  const rows: Box[][] = [];
  for (const box of boxes.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const row = rows.findLast((other) => isInLine(other.at(-1)!, box));
    if (row) row.push(box);
    else rows.push([box]);
  }
  return rows.map((row) => joined(row.toSorted((a, b) => a.left - b.left)));
}

function isInLine(one: Box, other: Box): boolean {
  const shared = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
  return shared >= 0.5 * Math.min(one.bottom - one.top, other.bottom - other.top);
}

function joined(row: readonly Box[]): Box[] {
  const height = Math.max(...row.map(({ top, bottom }) => bottom - top));
  const pieces: Box[] = [];
  for (const box of row) {
    const last = pieces.at(-1);
    if (!last || box.left - last.right > NEAR_SHARE * height) pieces.push(box);
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

function onSheet(page: PageImage, lines: readonly (readonly Box[])[]): Clippings {
  const edge = Math.round(EDGE_INCHES * page.dpi);
  const [gap, rowGap] = [Math.round(GAP_INCHES * page.dpi), Math.round(ROW_GAP_INCHES * page.dpi)];
  const rows: Row[] = [];
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
  const sheet = { ...whiteImage(width, height), dpi: page.dpi };
  for (const row of rows) paste(page, sheet, row);
  return { sheet, onPage: (words) => words.flatMap((word) => placed(word, rows, page.dpi / POINTS)) };
}

function paste(page: PageImage, sheet: PageImage, { pieces, top, bottom, sheetTop }: Row): void {
  for (const { left, right, sheetLeft } of pieces)
    for (let y = top; y < bottom; y++)
      sheet.pixels.set(
        page.pixels.subarray(y * page.width + left, y * page.width + right),
        (sheetTop + y - top) * sheet.width + sheetLeft,
      );
}

function placed(word: ReportWord, rows: readonly Row[], scale: number): ReportWord[] {
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
