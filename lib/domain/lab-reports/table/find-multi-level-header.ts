import type { Cell, Line } from "../page/page-lines.ts";
import {
  type ColumnHeading,
  columnKindByPhrase,
  readHeadingPhrases,
  resolveDuplicateHeadings,
} from "./column-heading.ts";
import { columnKindByKeyword } from "./heading-keywords.ts";

/** Maximum number of group header lines above the column headings, and their maximum gap in line heights. */
const MAX_GROUP_LINES = 2;
const MAX_LINE_GAP = 1.3;
const MIN_HEADINGS = 3;

/** Reads a multi-level header, `Result` spanning `Value` and `Unit`; null if the lines are none. */
export function findMultiLevelHeader(
  lines: readonly Line[],
  place: number,
): { headings: ColumnHeading[]; lines: number } | null {
  for (let away = MAX_GROUP_LINES; away > 0; away--) {
    const own = lines.slice(place, place + away + 1);
    const headings = own.length > away && areClose(own) ? mergeHeaderLevels(own) : null;
    if (headings) return { headings: resolveDuplicateHeadings(headings), lines: away + 1 };
  }
  return null;
}

const areClose = (lines: readonly Line[]) =>
  lines.every((line, place) => {
    const above = lines[place - 1];
    return !above || line.top - above.bottom < MAX_LINE_GAP * (above.bottom - above.top);
  });

/**
 * Merges the column headings of the last line with the group headings above them. Headings left of all columns stay on
 * their own.
 */
function mergeHeaderLevels(lines: readonly Line[]): ColumnHeading[] | null {
  const [below, above] = [lines.at(-1), lines.slice(0, -1).flatMap(({ cells }) => cells)];
  const own = below && readHeadingPhrases(below.words)?.map((heading) => guessByKeyword(heading, below));
  if (!own || own.length < MIN_HEADINGS || !needGroups(own)) return null;
  const kinds = above.map((cell) => ({ cell, kind: columnKindByPhrase(cell.text) ?? columnKindByKeyword(cell.text) }));
  if (kinds.some(({ kind }) => kind === undefined)) return null;
  const left = Math.min(...own.map((heading) => heading.left));
  const alone = kinds.filter(({ cell }) => cell.right < left);
  const groups = kinds.filter(({ cell }) => cell.right >= left);
  if (!alone.some(({ kind }) => kind === "name") || groups.length < 2 || groups.length >= own.length) return null;
  const grouped = own.map((heading) => {
    const group = groups.reduce((near, next) =>
      centreDistance(next.cell, heading) < centreDistance(near.cell, heading) ? next : near,
    );
    return group.kind === "previous" ? { ...heading, kind: "previous" as const } : heading;
  });
  const names = alone.flatMap(({ cell, kind }) => (kind ? [{ kind, left: cell.left, right: cell.right }] : []));
  return [...names.map(keepLastName), ...grouped];
}

/** Determines the kind of a heading by a keyword. */
function guessByKeyword(heading: ColumnHeading, { words }: Line): ColumnHeading {
  const text = words.find(({ left }) => left === heading.left)?.text ?? "";
  const kind = heading.isUnknown ? columnKindByKeyword(text) : undefined;
  return kind ? { kind, left: heading.left, right: heading.right, isGuessed: true } : heading;
}

/** Of adjacent name headings, the last is the test; those before it are its groups. */
const keepLastName = (heading: ColumnHeading, place: number, all: readonly ColumnHeading[]): ColumnHeading =>
  heading.kind === "name" && all.slice(place + 1).some(({ kind }) => kind === "name")
    ? { ...heading, kind: "other" }
    : heading;

/** Reports whether the headings are ambiguous alone: a kind or a bound occurs twice and none is the name. */
function needGroups(headings: readonly ColumnHeading[]): boolean {
  const kinds = headings.map(({ kind }) => kind);
  const isTwice = kinds.some((kind, place) => kind !== "other" && kinds.indexOf(kind) < place);
  return !kinds.includes("name") && kinds.includes("value") && (isTwice || kinds.includes("low"));
}

const centreDistance = (one: Pick<Cell, "left" | "right">, other: ColumnHeading) =>
  Math.abs(one.left + one.right - other.left - other.right) / 2;
