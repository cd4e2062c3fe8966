import { evidenceOn } from "./left-over.ts";
import { isGroup } from "./range-groups.ts";
import type { ReadLine } from "./read-line.ts";
import type { PrintedRow } from "./row-parts.ts";

/** A row with the index of its line. */
export interface Placed {
  readonly row: PrintedRow;
  readonly place: number;
}

/** Maximum distance between a row and unread texts that belong to it, in line heights. */
const NEAR = 5;
/** Interpretive bands of other values, such as `Diabetes: >6.4`. */
const BAND = /^\p{L}[^:\d<>]*(?::\s*[<>≤≥\d]|\s\p{L}{2})|^\p{L}{3,}\s.*,.*\p{L}{3,}\s/u;

/** Attaches the unread texts between rows to the nearby rows. */
export function withLeftOver(rows: readonly Placed[], reads: readonly ReadLine[]): PrintedRow[] {
  const used = new Set(rows.flatMap(({ row }) => row.words));
  const isUnused = ({ line }: ReadLine) => !line.words.some((word) => used.has(word));
  const places = new Set(rows.map(({ place }) => place));
  const evidence = reads.map((read, place) => (places.has(place) || !isUnused(read) ? [] : evidenceOn(read.line)));
  return rows.map(({ row, place }, index) => {
    const [from, to] = [rows[index - 1]?.place ?? -1, rows[index + 1]?.place ?? reads.length];
    const line = reads[place]?.line;
    const isNear = (other: number) => {
      const away = Math.abs((reads[other]?.line.top ?? 0) - (line?.top ?? 0));
      return away < NEAR * ((line?.bottom ?? 0) - (line?.top ?? 0));
    };
    const around = evidence
      .slice(from + 1, to)
      .flatMap((texts, step) => (texts.length > 0 && isNear(from + 1 + step) ? texts : []));
    const isWhole = row.range.min !== null || row.range.max !== null;
    const isBand = (text: string) => isWhole && BAND.test(text) && !isGroup(text);
    return { ...row, leftOver: [...row.leftOver, ...around.filter((text) => !isBand(text))] };
  });
}
