import type * as z from "zod";
import { parseCsv } from "../parse-csv.ts";

/** A parsed row with the number of its first line. */
export interface TableRow<T> {
  readonly line: number;
  readonly value: T;
}

/** The problems of a list, one sentence each. */
export class ListProblems extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/**
 * Parses a CSV list: a header, then one row per line. A blank value counts as missing.
 * @param name of the list, the prefix of its problems.
 * @throws ListProblems with every invalid line and column.
 */
export function readTable<S extends z.ZodObject>(name: string, text: string, schema: S): TableRow<z.output<S>>[] {
  const [head, ...rows] = parseCsv(text);
  const columns = head?.values.map((column) => column.trim()) ?? [];
  const wanted = Object.entries<z.ZodType>(schema.shape).filter(([, field]) => !field.safeParse(undefined).success);
  const problems = wanted
    .filter(([column]) => !columns.includes(column))
    .map(([column]) => `${name}: the column ${column} is missing`);
  if (problems.length > 0) throw new ListProblems(problems);
  const read: TableRow<z.output<S>>[] = [];
  for (const { line, values } of rows) {
    if (values.length !== columns.length) {
      problems.push(`${name}, line ${line}: has ${values.length} values for ${columns.length} columns`);
      continue;
    }
    const given = columns.map((column, index) => [column, values[index]?.trim() ?? ""]);
    const parsed = schema.safeParse(Object.fromEntries(given.filter(([, value]) => value !== "")));
    if (parsed.success) read.push({ line, value: parsed.data });
    else {
      const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
      problems.push(...issues.map((issue) => `${name}, line ${line}, ${issue}`));
    }
  }
  if (problems.length > 0) throw new ListProblems(problems);
  return read;
}

/** Formats a CSV row. Values with commas, quotes or line breaks are quoted. */
export function formatCsvLine(values: readonly (string | number | null)[]): string {
  return values
    .map((value) => String(value ?? ""))
    .map((value) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value))
    .join(",");
}
