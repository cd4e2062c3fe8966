/** A row of a CSV file. `line` is the number of its first line, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** One value and its terminator: a comma, the end of the line, or the end of the text. */
const VALUE_PATTERN = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * Parses CSV text (RFC 4180): values may be quoted, quotes are doubled, empty lines are skipped.
 * @throws Error with the line of the first syntax error.
 */
export function parseCsv(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let [line, begins] = [1, 1];
  let values: string[] = [];
  VALUE_PATTERN.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (VALUE_PATTERN.lastIndex < text.length || values.length > 0) {
    const found = VALUE_PATTERN.exec(text);
    if (!found) throw new Error(`line ${line}: a quote is not closed, or is inside an unquoted value`);
    const [all, quoted, plain = "", end] = found;
    values.push(quoted?.replaceAll('""', '"') ?? plain);
    line += all.split("\n").length - 1;
    if (end === ",") continue;
    if (values.length > 1 || values[0] !== "") rows.push({ line: begins, values });
    [values, begins] = [[], line];
  }
  return rows;
}
