import { kindByTokens } from "./heading-tokens.ts";
import { type Heading, kindAt, readHeadings, withOneOfEach } from "./headings.ts";
import type { Cell, Line } from "./page-lines.ts";

/** Maximum number of group header lines above the column headings, and their maximum gap in line heights. */
const MOST_ABOVE = 2;
const CLOSE = 1.3;
const FEWEST = 3;

/** Reads a multi-level header, `Result` spanning `Value` and `Unit`; null if the lines are none. */
export function groupedHeadings(lines: readonly Line[], place: number): { headings: Heading[]; lines: number } | null {
  for (let away = MOST_ABOVE; away > 0; away--) {
    const own = lines.slice(place, place + away + 1);
    const headings = own.length > away && areClose(own) ? headingsIn(own) : null;
    if (headings) return { headings: withOneOfEach(headings), lines: away + 1 };
  }
  return null;
}

const areClose = (lines: readonly Line[]) =>
  lines.every((line, place) => {
    const above = lines[place - 1];
    return !above || line.top - above.bottom < CLOSE * (above.bottom - above.top);
  });

/**
 * Merges the column headings of the last line with the group headings above them. Headings left of all columns stay on
 * their own.
 */
function headingsIn(lines: readonly Line[]): Heading[] | null {
  const [below, above] = [lines.at(-1), lines.slice(0, -1).flatMap(({ cells }) => cells)];
  const own = below && readHeadings(below.words)?.map((heading) => toldByToken(heading, below));
  if (!own || own.length < FEWEST || !needGroups(own)) return null;
  const kinds = above.map((cell) => ({ cell, kind: kindAt(cell.text) ?? kindByTokens(cell.text) }));
  if (kinds.some(({ kind }) => kind === undefined)) return null;
  const left = Math.min(...own.map((heading) => heading.left));
  const alone = kinds.filter(({ cell }) => cell.right < left);
  const groups = kinds.filter(({ cell }) => cell.right >= left);
  if (!alone.some(({ kind }) => kind === "name") || groups.length < 2 || groups.length >= own.length) return null;
  const grouped = own.map((heading) => {
    const group = groups.reduce((near, next) => (away(next.cell, heading) < away(near.cell, heading) ? next : near));
    return group.kind === "previous" ? { ...heading, kind: "previous" as const } : heading;
  });
  const names = alone.flatMap(({ cell, kind }) => (kind ? [{ kind, left: cell.left, right: cell.right }] : []));
  return [...names.map(onlyLastName), ...grouped];
}

/** Determines the kind of a heading by a keyword. */
function toldByToken(heading: Heading, { words }: Line): Heading {
  const text = words.find(({ left }) => left === heading.left)?.text ?? "";
  const kind = heading.isUnknown ? kindByTokens(text) : undefined;
  return kind ? { kind, left: heading.left, right: heading.right, isGuessed: true } : heading;
}

/** Of adjacent name headings, the last is the test; those before it are its groups. */
const onlyLastName = (heading: Heading, place: number, all: readonly Heading[]): Heading =>
  heading.kind === "name" && all.slice(place + 1).some(({ kind }) => kind === "name")
    ? { ...heading, kind: "other" }
    : heading;

/** Reports whether the headings are ambiguous alone: a kind or a bound occurs twice and none is the name. */
function needGroups(headings: readonly Heading[]): boolean {
  const kinds = headings.map(({ kind }) => kind);
  const isTwice = kinds.some((kind, place) => kind !== "other" && kinds.indexOf(kind) < place);
  return !kinds.includes("name") && kinds.includes("value") && (isTwice || kinds.includes("low"));
}

const away = (one: Pick<Cell, "left" | "right">, other: Heading) =>
  Math.abs(one.left + one.right - other.left - other.right) / 2;
