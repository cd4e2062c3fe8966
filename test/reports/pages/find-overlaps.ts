import type { DrawnPage, TextRun } from "./drawn-page.ts";
import { textWidth } from "./fonts.ts";

/** Tolerated overlap of letters, points. */
const TOLERANCE = 0.5;

interface Extent {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const extentOf = ({ text, x, y, font, size }: TextRun): Extent => ({
  text,
  left: x,
  right: x + textWidth(text, font, size),
  top: y - size * 0.6,
  bottom: y,
});

const touch = (one: Extent, other: Extent): boolean =>
  one.left < other.right - TOLERANCE &&
  other.left < one.right - TOLERANCE &&
  one.top < other.bottom &&
  other.top < one.bottom;

/** Finds texts that overlap or exceed the page, which no laboratory prints. Ignores watermarks. */
export function findOverlaps(page: DrawnPage): string[] {
  const extents = page.runs.filter(({ turn }) => turn === 0).map(extentOf);
  const beyond = extents.filter(({ left, right, bottom }) => left < 0 || right > page.width || bottom > page.height);
  const pairs = extents.flatMap((one, place) =>
    extents.slice(place + 1).flatMap((other) => (touch(one, other) ? [`${one.text} / ${other.text}`] : [])),
  );
  return [...beyond.map(({ text }) => `${text} / edge`), ...pairs];
}
