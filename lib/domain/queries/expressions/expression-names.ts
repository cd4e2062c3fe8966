import { type TableName, tableColumns } from "../tables/columns.ts";
import { ELEMENT_NAME } from "../tables/list-columns.ts";
import type { GroupItem, SelectItem } from "./expressions.ts";

/** The table that a query reads, or the name of its timeseries. */
export type QueriedTable = TableName | { readonly timeseries: string };

export const tableLabel = (table: QueriedTable | "timeseries") =>
  typeof table === "string" ? table : `timeseries ${table.timeseries}`;

/** The table that an expression reads. `timeseries` stands for the index of the timeseries that the query reads. */
export function expressionTable(item: SelectItem | GroupItem): QueriedTable | "timeseries" | undefined {
  if ("func" in item) return expressionTable(item.arg);
  if ("from" in item) return expressionTable(item.from.unnest);
  if ("date_trunc" in item || "date_part" in item) return item.arg.index;
  if ("index" in item) return item.index;
  if ("timeseries" in item) return { timeseries: item.timeseries };
  if ("value_macro" in item) return "sleep";
  const [name] = Object.keys(item);
  return name !== undefined && name in tableColumns ? (name as TableName) : undefined;
}

/** The output name of an expression: the column it reads, or the function and its argument. */
export function expressionName(item: SelectItem | GroupItem): string {
  if ("from" in item)
    return [expressionName(item.from.unnest), subqueryElement(item), item.select.func].filter(Boolean).join(".");
  if ("func" in item) return `${item.func}.${expressionName(item.arg)}`;
  if ("timeseries" in item) return item.field;
  if ("value_macro" in item) return item.value_macro;
  if ("source" in item) return item.source;
  if ("index" in item) return "timestamp";
  return String(Object.values(item)[0]);
}

type Subquery = Extract<SelectItem, { from: unknown }>;

/** What a sub-query reads from each element: a field, the element itself, or undefined when it only counts. */
export function subqueryElement({ select, from }: Subquery): string | undefined {
  const { arg } = select;
  if (!arg) return undefined;
  return "element" in arg ? ELEMENT_NAME : String(arg[expressionName(from.unnest)]);
}
