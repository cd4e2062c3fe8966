import { DamagedFile } from "./input-error.ts";

/** A row by the names of its columns. */
export type CsvRow = Readonly<Record<string, string>>;

const MAX_CELL_CHARACTERS = 1_048_576;

/**
 * Streams the lines of a CSV file as lists of cells (RFC 4180), in batches per part of the file. The delimiter is the
 * one that the given line has more of: comma or semicolon.
 * @param delimiterLine index of the line that decides about the delimiter.
 * @throws DamagedFile if the file ends within quotes.
 */
async function* readCells(
  bytes: AsyncIterable<Uint8Array>,
  delimiterLine: number,
): AsyncGenerator<readonly (readonly string[])[]> {
  const decoder = new TextDecoder();
  const splitter = new CellSplitter(delimiterLine);
  for await (const part of bytes) yield splitter.split(decoder.decode(part, { stream: true }));
  yield splitter.split(`${decoder.decode()}\n`);
  if (splitter.isInQuotes) throw new DamagedFile("The CSV file ends within quotes.");
}

/** Splits text, part by part, into lines of cells. */
class CellSplitter {
  readonly #delimiterLine: number;
  #pending = "";
  #lines = 0;
  #delimiter: "," | ";" | undefined;

  constructor(delimiterLine: number) {
    this.#delimiterLine = delimiterLine;
  }

  get isInQuotes(): boolean {
    return this.#pending.trim() !== "";
  }

  split(part: string): string[][] {
    const text = this.#pending + part;
    const rows: string[][] = [];
    let from = 0;
    for (let at = endOfLine(text, from); at >= 0; at = endOfLine(text, from)) {
      const line = text.slice(from, at).replace(/\r$/, "");
      if (this.#lines++ === this.#delimiterLine) this.#delimiter = chooseDelimiter(line);
      if (line !== "") rows.push(splitLine(line, this.#delimiter ?? chooseDelimiter(line)));
      from = at + 1;
    }
    this.#pending = text.slice(from);
    if (this.#pending.length > MAX_CELL_CHARACTERS) throw new DamagedFile("A line of the CSV file is too long.");
    return rows;
  }
}

/** Index of the line feed that ends a line, outside of quotes; -1 if the line is incomplete. */
function endOfLine(text: string, from: number): number {
  let isQuoted = false;
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 34) isQuoted = !isQuoted;
    else if (code === 10 && !isQuoted) return at;
  }
  return -1;
}

const chooseDelimiter = (line: string) => (line.split(";").length > line.split(",").length ? ";" : ",");

function splitLine(line: string, delimiter: "," | ";"): string[] {
  if (!line.includes('"')) return line.split(delimiter);
  const cells = Array.from(line.matchAll(cellPatterns[delimiter]), ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
  // The end of a line without a delimiter matches once more.
  if (!line.endsWith(delimiter)) cells.pop();
  return cells;
}

const cellPatterns = {
  ",": /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/gy,
  ";": /(?:"((?:[^"]|"")*)"|([^;]*))(?:;|$)/gy,
} as const;

/** How to read a CSV file. */
interface CsvOptions {
  /** Lines before the names of the columns. */
  readonly skipLines?: number;
  /** Renames the columns. The rows leave out a column with an empty name. */
  readonly rename?: (names: readonly string[]) => readonly string[];
}

/** Streams the rows of a CSV file by the names of its columns. Leaves out a cell beyond the last column. */
export async function* readCsvRows(
  bytes: AsyncIterable<Uint8Array>,
  { skipLines = 0, rename = (names) => names }: CsvOptions = {},
): AsyncGenerator<readonly CsvRow[]> {
  let names: readonly string[] | undefined;
  let skipped = 0;
  for await (const lines of readCells(bytes, skipLines)) {
    const rows: CsvRow[] = [];
    for (const cells of lines) {
      if (skipped < skipLines) skipped++;
      else if (names) rows.push(toRow(names, cells));
      else names = rename(cells.map((name) => name.replace(/^\uFEFF/, "").trim()));
    }
    yield rows;
  }
}

function toRow(names: readonly string[], cells: readonly string[]): CsvRow {
  const row: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (name) row[name] = cells[index] ?? "";
  }
  return row;
}
