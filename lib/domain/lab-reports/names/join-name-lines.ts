import { characterWidth } from "../page/page-lines.ts";
import type { LineReading } from "../table/line-reading.ts";
import { isSampleTypeOnly, tokenizeName } from "./fold-name.ts";

/** Reports whether the catalogue knows a name. */
export type IsKnownName = (name: string) => boolean;

/** A test name read from one or two lines. */
export interface JoinedName {
  readonly text: string;
  readonly usesAbove: boolean;
  readonly usesBelow: boolean;
}

/** Joins the name of a row with the line above or below if that line is part of the name. */
export function joinNameLines(
  read: LineReading,
  above: LineReading | null,
  below: LineReading | undefined,
  pitch: number,
  isKnown: IsKnownName,
  reach: number,
): JoinedName {
  if (read.name === "") return { text: above?.name ?? "", usesAbove: true, usesBelow: false };
  const isBelow =
    below &&
    !below.parts &&
    below.name !== "" &&
    (isContinuation(read, below, pitch, isKnown) || isWrapped(read, below, pitch, isKnown, reach));
  if (isBelow) return { text: `${read.name} ${below.name}`, usesAbove: false, usesBelow: true };
  const whole = above ? `${above.name} ${read.name}` : "";
  const isAbove = above && isClose(above, read, pitch) && !isKnown(read.name) && isKnown(whole);
  if (isAbove) return { text: whole, usesAbove: true, usesBelow: false };
  return { text: read.name, usesAbove: false, usesBelow: false };
}

function isContinuation(read: LineReading, below: LineReading, pitch: number, isKnown: IsKnownName): boolean {
  if (!isClose(read, below, pitch)) return false;
  const whole = `${read.name} ${below.name}`;
  const isOpen =
    /[,/(-]$/.test(read.name) || (read.name.match(/\(/g)?.length ?? 0) > (read.name.match(/\)/g)?.length ?? 0);
  const [, short = ""] = /^\(([^()]*)\)(?:,|$)/.exec(below.name) ?? [];
  const isBracketed = short !== "" && isKnown(short) && isSameSize(read, below);
  if (isOpen || isBracketed || (isIndented(read, below) && isPartOfName(below.name))) return true;
  return (
    isKnown(whole) &&
    !isSampleTypeOnly(below.name) &&
    addsWords(read.name, below.name) &&
    (!isKnown(below.name) || below.name.startsWith("("))
  );
}

/** Reports whether a text adds words to the name above it. `(Calculated)` below `LDL, Calculated` is a method. */
const addsWords = (name: string, below: string): boolean => {
  const own = new Set(tokenizeName(name));
  return tokenizeName(below).some((word) => !own.has(word));
};

/**
 * Reports whether a name wraps onto the next line because its next word did not fit. Lines of one row are closer than
 * rows.
 */
function isWrapped(read: LineReading, below: LineReading, pitch: number, isKnown: IsKnownName, reach: number): boolean {
  const first = below.words[0];
  const cell = read.line.cells.find(({ left }) => first && Math.abs(left - first.left) < 1);
  if (
    !first ||
    !cell ||
    isKnown(below.name) ||
    below.name.split(" ").length > MAX_WRAPPED_WORDS ||
    /^\(.*\)$/.test(below.name)
  )
    return false;
  const isTight = below.line.top - read.line.top < pitch * WRAPPED_PITCH;
  return isTight && isSameSize(read, below) && cell.right + first.width > reach;
}
const MAX_WRAPPED_WORDS = 2;
const WRAPPED_PITCH = 0.95;

/** Reports whether the next line starts at the same x as the name, in the same font size. */
function isSameSize(read: LineReading, below: LineReading): boolean {
  const [first, next] = [read.words[0], below.words[0]];
  if (!first || !next || next.confidence < 100) return false;
  return Math.abs(next.left - first.left) < 1 && Math.abs(next.height / first.height - 1) < SIZE_TOLERANCE;
}

const isPartOfName = (text: string) => text.split(" ").length <= 4 && !/[.;]$|:/.test(text);

/**
 * Maximum difference in letter height at the same font size. The height of recognised words depends on their letters.
 */
const SIZE_TOLERANCE = 0.06;
const RECOGNISED_SIZE_TOLERANCE = 0.35;

/** Reports whether the next line is slightly indented and in the same font size. */
function isIndented(read: LineReading, below: LineReading): boolean {
  const [first, next] = [read.words[0], below.words[0]];
  if (!first || !next) return false;
  const indent = (next.left - first.left) / characterWidth(next);
  const sizes = next.height / first.height;
  const tolerance = next.confidence < 100 ? RECOGNISED_SIZE_TOLERANCE : SIZE_TOLERANCE;
  return indent > 0.7 && indent < 5 && Math.abs(sizes - 1) < tolerance;
}

const isClose = (one: LineReading, next: LineReading, pitch: number) =>
  next.line.top - one.line.top < Math.max(pitch * 1.05, (one.line.bottom - one.line.top) * 1.6);
