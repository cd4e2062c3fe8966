import { indexColumns } from "../../../lib/domain/aggregation/columns.ts";
import type { GroupItem, SelectItem } from "../../../lib/domain/aggregation/expressions.ts";
import { aggregated } from "./aggregates.ts";
import { partOf, truncated } from "./calendar.ts";
import { macroOf } from "./macros.ts";
import { cellOf, type Row } from "./rows.ts";
import { type Cell, type Comparison, compare, holds, postfixOf } from "./where.ts";

/** Values and names of a query's expressions. */

type Subquery = Extract<SelectItem, { from: unknown }>;
type Item = SelectItem | GroupItem;

/** The single column of a plain expression. */
function columnOf(item: Item): string {
  if ("timeseries" in item) return item.field;
  if ("source" in item) return item.source;
  if ("index" in item) return item.index === "timeseries" ? "timestamp" : indexColumns[item.index];
  return String(Object.values(item)[0]);
}

/** The field that the sub-query reads from each element of a list; undefined if it only counts them. */
function elementField({ select, from }: Subquery): string | undefined {
  if (!select.arg) return undefined;
  return "element" in select.arg ? "element" : select.arg[columnOf(from.unnest)];
}

/** The name of an output column. */
export function outputName(item: Item): string {
  if ("func" in item) return `${item.func}.${outputName(item.arg)}`;
  if ("from" in item) {
    const field = elementField(item);
    const of = outputName(item.from.unnest);
    return field === undefined ? `${of}.${item.select.func}` : `${of}.${field}.${item.select.func}`;
  }
  if ("value_macro" in item) return item.value_macro;
  return "index" in item ? "timestamp" : columnOf(item);
}

const isObject = (element: unknown): element is Record<string, unknown> =>
  typeof element === "object" && element !== null;

/** Evaluates a sub-query: applies its function to the list elements that meet its condition. */
function readList(item: Subquery, row: Row): Cell {
  const list = row.cells[columnOf(item.from.unnest)];
  const elements = (Array.isArray(list) ? list : []).map((element: unknown) =>
    isObject(element) ? element : { element },
  );
  const steps = item.where ? postfixOf(item.where) : undefined;
  const read = (element: Record<string, unknown>, field: string) => (element[field] ?? null) as Cell;
  const left = elements.filter((element) => {
    const truthOf = ({ column, operator, value }: Comparison) => compare(read(element, column), operator, value);
    return !steps || holds(steps, truthOf) === true;
  });
  const field = elementField(item);
  const values = left.map((element, at) => ({ at, value: field === undefined ? true : read(element, field) }));
  return aggregated(item.select.func, values);
}

/** The value of an expression in a row. */
export function readValue(item: Item, row: Row): Cell {
  if ("from" in item) return readList(item, row);
  if ("value_macro" in item) return macroOf(item.value_macro, row);
  if ("date_trunc" in item) return truncated(row.shown, item.date_trunc);
  if ("date_part" in item) return partOf(row.shown, item.date_part);
  return cellOf(row, columnOf(item));
}
