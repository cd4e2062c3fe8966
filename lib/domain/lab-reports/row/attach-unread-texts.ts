import type { LineReading } from "../table/line-reading.ts";
import { startsWithPopulation } from "./population-ranges.ts";
import type { PrintedRow } from "./row-parts.ts";
import { unreadTextsOnLine } from "./unread-texts.ts";

/** A row with the index of its line. */
export interface PlacedRow {
  readonly row: PrintedRow;
  readonly place: number;
}

/** Maximum distance between a row and unread texts that belong to it, in line heights. */
const MAX_DISTANCE = 5;
/** Interpretive bands of other values, such as `Diabetes: >6.4`. */
const BAND = /^\p{L}[^:\d<>]*(?::\s*[<>≤≥\d]|\s\p{L}{2})|^\p{L}{3,}\s.*,.*\p{L}{3,}\s/u;

/** Attaches the unread texts between rows to the nearby rows. */
export function attachUnreadTexts(rows: readonly PlacedRow[], reads: readonly LineReading[]): PrintedRow[] {
  const used = new Set(rows.flatMap(({ row }) => row.words));
  const isUnused = ({ line }: LineReading) => !line.words.some((word) => used.has(word));
  const places = new Set(rows.map(({ place }) => place));
  const evidence = reads.map((read, place) =>
    places.has(place) || !isUnused(read) ? [] : unreadTextsOnLine(read.line),
  );
  return rows.map(({ row, place }, index) => {
    const [from, to] = [rows[index - 1]?.place ?? -1, rows[index + 1]?.place ?? reads.length];
    const line = reads[place]?.line;
    const isNear = (other: number) => {
      const away = Math.abs((reads[other]?.line.top ?? 0) - (line?.top ?? 0));
      return away < MAX_DISTANCE * ((line?.bottom ?? 0) - (line?.top ?? 0));
    };
    const around = evidence
      .slice(from + 1, to)
      .flatMap((texts, step) => (texts.length > 0 && isNear(from + 1 + step) ? texts : []));
    const isWhole = row.range.min !== null || row.range.max !== null;
    const isBand = (text: string) => isWhole && BAND.test(text) && !startsWithPopulation(text);
    return { ...row, unreadTexts: [...row.unreadTexts, ...around.filter((text) => !isBand(text))] };
  });
}
