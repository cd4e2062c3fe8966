import type { GroupItem, SelectItem } from "../../../lib/domain/queries/expressions/expressions.ts";
import { indexColumns } from "../../../lib/domain/queries/tables/columns.ts";
import { aggregateValues } from "./aggregate-values.ts";
import { datePart, truncateToPeriod } from "./calendar.ts";
import { macroValue } from "./macros.ts";
import { type Cell, type Comparison, compareCell, evaluateCondition, parsePostfix } from "./postfix-condition.ts";
import { cellOf, type ReferenceRow } from "./reference-rows.ts";

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
function readList(item: Subquery, row: ReferenceRow): Cell {
  const list = row.cells[columnOf(item.from.unnest)];
  const elements = (Array.isArray(list) ? list : []).map((element: unknown) =>
    isObject(element) ? element : { element },
  );
  const steps = item.where ? parsePostfix(item.where) : undefined;
  const read = (element: Record<string, unknown>, field: string) => (element[field] ?? null) as Cell;
  const left = elements.filter((element) => {
    const truthOf = ({ column, operator, value }: Comparison) => compareCell(read(element, column), operator, value);
    return !steps || evaluateCondition(steps, truthOf) === true;
  });
  const field = elementField(item);
  const values = left.map((element, at) => ({ at, value: field === undefined ? true : read(element, field) }));
  return aggregateValues(item.select.func, values);
}

/** The value of an expression in a row. */
export function readValue(item: Item, row: ReferenceRow): Cell {
  if ("from" in item) return readList(item, row);
  if ("value_macro" in item) return macroValue(item.value_macro, row);
  if ("date_trunc" in item) return truncateToPeriod(row.shown, item.date_trunc);
  if ("date_part" in item) return datePart(row.shown, item.date_part);
  return cellOf(row, columnOf(item));
}
