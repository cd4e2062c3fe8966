import { flagMeaning } from "../row/read-flag.ts";
import { isRange } from "../row/read-range.ts";
import { isQualitativeResult, isValue, readValue } from "../row/read-value.ts";
import { isUnit } from "../row/report-units.ts";
import { type PrintedRow, type ReadingContext, readRowParts } from "../row/row-parts.ts";
import { mayBeResultText } from "../row/unread-texts.ts";
import { startsWithHeaderLabel } from "./header-labels.ts";
import type { Cell, Line } from "./page-lines.ts";
import { type PageBlock, panelTitleAbove, splitBlocks } from "./split-transposed-tables.ts";

/**
 * Alignment tolerance of a block, points, its maximum line distances in line heights, and its maximum numbers of lines.
 */
const ALIGNMENT_TOLERANCE_PT = 3;
const MAX_VALUE_DISTANCE = 6;
const MAX_LINE_DISTANCE = 4;
const MAX_NAME_LINES = 3;
const MAX_LINES_BELOW = 4;

/** Key-value blocks side by side: names, a line of values, and further parts below. */
interface BlockRow {
  readonly tiles: readonly KeyValueBlock[];
  readonly length: number;
}

interface KeyValueBlock {
  readonly left: number;
  readonly names: Cell[];
  readonly value: Cell;
  readonly texts: { flag: string; units: string; range: string };
  readonly below: Cell[];
  readonly leftOver: string[];
}

/** Splits off rows of key-value blocks: each value stands below its name, and the blocks stand side by side. */
export function splitKeyValueBlocks(lines: readonly Line[], context: ReadingContext): PageBlock[] {
  const lefts: number[] = [];
  let panel: string | null = null;
  return splitBlocks(lines, (place, from) => {
    const found = findBlockRow(lines, place, lefts, context);
    if (!found) return null;
    if (place > from || lefts.length === 0) panel = panelTitleAbove(lines.slice(0, place)) ?? panel;
    lefts.push(...found.tiles.map(({ left }) => left));
    return { rows: found.tiles.flatMap((tile) => blockRow(tile, panel, context)), length: found.length };
  });
}

/** The row of blocks that starts with a line of names, if any. A single block must align with earlier blocks. */
function findBlockRow(
  lines: readonly Line[],
  place: number,
  lefts: readonly number[],
  { isKnown }: ReadingContext,
): BlockRow | null {
  const head = lines[place];
  if (!head?.cells.every(isName)) return null;
  const names = head.cells.map((cell) => [cell]);
  const at = lines.slice(place + 1, place + 1 + MAX_NAME_LINES).findIndex((line) => !continuesNames(line, names));
  const [values, above] = [lines[place + 1 + at], lines[place + at]];
  if (at < 0 || !values || !above || values.top - above.top > MAX_VALUE_DISTANCE * (above.bottom - above.top))
    return null;
  for (const cell of lines.slice(place + 1, place + 1 + at).flatMap(({ cells }) => cells))
    names.find(([first]) => first && isUnder(cell, first))?.push(cell);
  const tiles = pairNamesWithValues(names, values);
  if (!tiles) return null;
  const known = names.filter((own) => isKnown(own.map(({ text }) => text).join(" "))).length;
  const isPlaced = names.every(([first]) =>
    lefts.some((left) => Math.abs(left - (first?.left ?? 0)) < ALIGNMENT_TOLERANCE_PT),
  );
  if (!(isPlaced && lefts.length > 0) && (names.length < 2 || known * 2 < names.length)) return null;
  const below = addBelow(tiles, lines.slice(place + 1 + at));
  const hasRangeOrFlag = tiles.some(({ texts: { range, flag } }) => range !== "" || flag !== "");
  return hasRangeOrFlag ? { tiles, length: 2 + at + below } : null;
}

const isName = ({ text }: Cell) =>
  /\p{L}{2}/u.test(text) && !isValue(text) && !startsWithHeaderLabel(text) && !isRange(text);

/** Reports whether a line continues names that wrap. */
const continuesNames = (line: Line, names: readonly (readonly Cell[])[]) =>
  line.cells.every((cell) => isName(cell) && names.some(([first]) => first && isUnder(cell, first)));

const isUnder = (cell: Cell, above: Pick<Cell, "left">) => Math.abs(cell.left - above.left) < ALIGNMENT_TOLERANCE_PT;

/** Pairs each name with the value below it; null if a value is missing or the line has other texts. */
function pairNamesWithValues(names: readonly Cell[][], { cells }: Line): KeyValueBlock[] | null {
  if (cells.length !== names.length || !cells.every(({ text }) => isValue(text))) return null;
  if (!cells.some(({ text }) => readValue(text)?.kind === "number")) return null;
  const tiles = names.flatMap((own, place): KeyValueBlock[] => {
    const [first, value] = [own[0], cells[place]];
    if (!first || !value || !isUnder(value, first)) return [];
    return [
      { left: first.left, names: own, value, texts: { flag: "", units: "", range: "" }, below: [], leftOver: [] },
    ];
  });
  return tiles.length === names.length ? tiles : null;
}

/**
 * Adds the parts on the lines below the values.
 * @param lines from the line of values on.
 * @returns the number of lines used.
 */
function addBelow(tiles: readonly KeyValueBlock[], lines: readonly Line[]): number {
  let used = 0;
  for (const line of lines.slice(1, 1 + MAX_LINES_BELOW)) {
    const before = lines[used];
    const own = line.cells.map((cell) => ({ cell, tile: tiles.find((tile) => isUnder(cell, tile)) }));
    if (!before || line.top - before.top > MAX_LINE_DISTANCE * (line.bottom - line.top)) break;
    const isOf = own.every(({ cell, tile }) => tile !== undefined && missingKindOf(cell.text, tile) !== null);
    if (!isOf) {
      for (const { cell, tile } of own) if (mayBeResultText(cell.text)) tile?.leftOver.push(cell.text);
      break;
    }
    for (const { cell, tile } of own) {
      const kind = tile && missingKindOf(cell.text, tile);
      if (!kind) continue;
      tile.texts[kind] = cell.text;
      tile.below.push(cell);
    }
    used++;
  }
  return used;
}

/** The missing part of a block that a text provides. */
function missingKindOf(text: string, { texts, value }: KeyValueBlock): "flag" | "units" | "range" | null {
  if (texts.flag === "" && flagMeaning(text)) return "flag";
  if (texts.range === "" && isRange(text)) return "range";
  if (texts.units === "" && isUnit(text)) return "units";
  const isExpected = readValue(value.text)?.kind === "words" && isQualitativeResult(text);
  return texts.range === "" && isExpected ? "range" : null;
}

function blockRow(
  { names, value, texts, below, leftOver }: KeyValueBlock,
  panel: string | null,
  context: ReadingContext,
) {
  const name = names.map(({ text }) => text).join(" ");
  const parts = readRowParts({ name, value: value.text, ...texts }, context);
  const words = [...names, value, ...below].flatMap((cell) => cell.words);
  return parts ? [{ ...parts, name, panel, words, unreadTexts: leftOver } satisfies PrintedRow] : [];
}
