import * as z from "zod";
import { jsonTextSchema } from "../../json-text.ts";
import type { CsvRow } from "../reading/csv-rows.ts";

const anyJson = jsonTextSchema(z.unknown());
/** Columns whose digits are text: ids, and one digit per interval. */
const TEXTS = /^(?:id|.*phase.*|class_5_min)$/;

/** Converts a row to a document of Oura's API: numbers and JSON in cells, null for an empty cell. */
export const toDocument = (row: CsvRow): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, toValue(name, cell)]));

function toValue(name: string, cell: string): unknown {
  if (cell === "") return null;
  if (/^[[{]/.test(cell)) return anyJson.safeParse(cell).data ?? null;
  return !TEXTS.test(name) && /^-?\d+(?:\.\d+)?$/.test(cell) ? Number(cell) : cell;
}
