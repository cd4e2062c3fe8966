/** A row of a CSV file with the line that it begins on, from 1. */
export interface CsvRow {
  readonly line: number;
  readonly values: readonly string[];
}

/** One value and what ends it: a comma, the end of the line, or the end of the text. */
const value = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y;

/**
 * The rows of a CSV text (RFC 4180): values may be quoted, quotes are doubled, empty lines are left out.
 * @throws Error with the line where the text is no CSV.
 */
export function csvRows(text: string): CsvRow[] {
  const rows: CsvRow[] = [];
  let [line, begins] = [1, 1];
  let values: string[] = [];
  value.lastIndex = text.startsWith("\uFEFF") ? 1 : 0;
  while (value.lastIndex < text.length || values.length > 0) {
    const found = value.exec(text);
    if (!found) throw new Error(`line ${line}: a quote is not closed, or stands in a value without quotes`);
    const [all, quoted, plain = "", end] = found;
    values.push(quoted?.replaceAll('""', '"') ?? plain);
    line += all.split("\n").length - 1;
    if (end === ",") continue;
    if (values.length > 1 || values[0] !== "") rows.push({ line: begins, values });
    [values, begins] = [[], line];
  }
  return rows;
}
