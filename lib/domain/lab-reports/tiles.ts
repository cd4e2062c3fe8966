import { mayBeOfResult } from "./left-over.ts";
import type { Cell, Line } from "./page-lines.ts";
import { flagMeaning } from "./read-flag.ts";
import { isRange } from "./read-range.ts";
import { isResultWords, isValue, readValue } from "./read-value.ts";
import { isLabelled } from "./report-labels.ts";
import { isUnit } from "./report-units.ts";
import { type PrintedRow, type ReadingContext, readParts } from "./row-parts.ts";
import { panelAbove, type Segment } from "./transposed.ts";

/**
 * Alignment tolerance of a block, points, its maximum line distances in line heights, and its maximum numbers of lines.
 */
const EXACT = 3;
const VALUE_BELOW = 6;
const FARTHEST = 4;
const MOST_NAMES = 3;
const MOST_BELOW = 4;

/** Key-value blocks side by side: names, a line of values, and further parts below. */
interface TileRow {
  readonly tiles: readonly Tile[];
  readonly length: number;
}

interface Tile {
  readonly left: number;
  readonly names: Cell[];
  readonly value: Cell;
  readonly texts: { flag: string; units: string; range: string };
  readonly below: Cell[];
  readonly leftOver: string[];
}

/** Splits off rows of key-value blocks: each value stands below its name, and the blocks stand side by side. */
export function tilesIn(lines: readonly Line[], context: ReadingContext): Segment[] {
  const segments: Segment[] = [];
  const lefts: number[] = [];
  let [from, panel]: [number, string | null] = [0, null];
  for (let place = 0; place < lines.length; place++) {
    const found = tileRowAt(lines, place, lefts, context);
    if (!found) continue;
    if (place > from || lefts.length === 0) panel = panelAbove(lines.slice(0, place)) ?? panel;
    lefts.push(...found.tiles.map(({ left }) => left));
    const rows = found.tiles.flatMap((tile) => rowOf(tile, panel, context));
    segments.push({ lines: lines.slice(from, place) }, { rows });
    from = place + found.length;
    place = from - 1;
  }
  return [...segments, { lines: lines.slice(from) }];
}

/** The row of blocks that starts with a line of names, if any. A single block must align with earlier blocks. */
function tileRowAt(
  lines: readonly Line[],
  place: number,
  lefts: readonly number[],
  { isKnown }: ReadingContext,
): TileRow | null {
  const head = lines[place];
  if (!head?.cells.every(isName)) return null;
  const names = head.cells.map((cell) => [cell]);
  const at = lines.slice(place + 1, place + 1 + MOST_NAMES).findIndex((line) => !goesOn(line, names));
  const [values, above] = [lines[place + 1 + at], lines[place + at]];
  if (at < 0 || !values || !above || values.top - above.top > VALUE_BELOW * (above.bottom - above.top)) return null;
  for (const cell of lines.slice(place + 1, place + 1 + at).flatMap(({ cells }) => cells))
    names.find(([first]) => first && isUnder(cell, first))?.push(cell);
  const tiles = tilesOf(names, values);
  if (!tiles) return null;
  const known = names.filter((own) => isKnown(own.map(({ text }) => text).join(" "))).length;
  const isPlaced = names.every(([first]) => lefts.some((left) => Math.abs(left - (first?.left ?? 0)) < EXACT));
  if (!(isPlaced && lefts.length > 0) && (names.length < 2 || known * 2 < names.length)) return null;
  const below = addBelow(tiles, lines.slice(place + 1 + at));
  const isTold = tiles.some(({ texts: { range, flag } }) => range !== "" || flag !== "");
  return isTold ? { tiles, length: 2 + at + below } : null;
}

const isName = ({ text }: Cell) => /\p{L}{2}/u.test(text) && !isValue(text) && !isLabelled(text) && !isRange(text);

/** Reports whether a line continues names that wrap. */
const goesOn = (line: Line, names: readonly (readonly Cell[])[]) =>
  line.cells.every((cell) => isName(cell) && names.some(([first]) => first && isUnder(cell, first)));

const isUnder = (cell: Cell, above: Pick<Cell, "left">) => Math.abs(cell.left - above.left) < EXACT;

/** Pairs each name with the value below it; null if a value is missing or the line has other texts. */
function tilesOf(names: readonly Cell[][], { cells }: Line): Tile[] | null {
  if (cells.length !== names.length || !cells.every(({ text }) => isValue(text))) return null;
  if (!cells.some(({ text }) => readValue(text)?.kind === "number")) return null;
  const tiles = names.flatMap((own, place): Tile[] => {
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
function addBelow(tiles: readonly Tile[], lines: readonly Line[]): number {
  let used = 0;
  for (const line of lines.slice(1, 1 + MOST_BELOW)) {
    const before = lines[used];
    const own = line.cells.map((cell) => ({ cell, tile: tiles.find((tile) => isUnder(cell, tile)) }));
    if (!before || line.top - before.top > FARTHEST * (line.bottom - line.top)) break;
    const isOf = own.every(({ cell, tile }) => tile !== undefined && kindOf(cell.text, tile) !== null);
    if (!isOf) {
      for (const { cell, tile } of own) if (mayBeOfResult(cell.text)) tile?.leftOver.push(cell.text);
      break;
    }
    for (const { cell, tile } of own) {
      const kind = tile && kindOf(cell.text, tile);
      if (!kind) continue;
      tile.texts[kind] = cell.text;
      tile.below.push(cell);
    }
    used++;
  }
  return used;
}

/** The missing part of a block that a text provides. */
function kindOf(text: string, { texts, value }: Tile): "flag" | "units" | "range" | null {
  if (texts.flag === "" && flagMeaning(text)) return "flag";
  if (texts.range === "" && isRange(text)) return "range";
  if (texts.units === "" && isUnit(text)) return "units";
  const isExpected = readValue(value.text)?.kind === "words" && isResultWords(text);
  return texts.range === "" && isExpected ? "range" : null;
}

function rowOf({ names, value, texts, below, leftOver }: Tile, panel: string | null, context: ReadingContext) {
  const name = names.map(({ text }) => text).join(" ");
  const parts = readParts({ name, value: value.text, ...texts }, context);
  const words = [...names, value, ...below].flatMap((cell) => cell.words);
  return parts ? [{ ...parts, name, panel, words, leftOver } satisfies PrintedRow] : [];
}
