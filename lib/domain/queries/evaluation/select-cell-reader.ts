import { compileCondition } from "../expressions/compile-condition.ts";
import { expressionName, subqueryElement } from "../expressions/expression-names.ts";
import type { GroupItem, SelectItem } from "../expressions/expressions.ts";
import { parseWhere } from "../expressions/parse-where.ts";
import type { CellReader, RowSet } from "../rows/row-set.ts";
import type { CellValue } from "../rows/rows.ts";
import { type ColumnType, indexColumns } from "../tables/columns.ts";
import { ELEMENT_NAME, listElementFields } from "../tables/list-columns.ts";
import { aggregate, type FunctionName } from "./aggregates.ts";

type RowItem = Exclude<SelectItem, { group_key: unknown } | { func: FunctionName }>;
type Subquery = Extract<SelectItem, { from: unknown }>;

/** Compiles a select expression to a cell reader. An amount that counts in part is multiplied by its share. */
export function selectCellReader(
  item: RowItem | Extract<GroupItem, { source: unknown }>,
  set: RowSet,
  shares?: Float64Array,
): CellReader {
  if ("from" in item) return subqueryReader(item, set);
  if ("index" in item) return indexReader(item.index, set);
  const name = expressionName(item);
  const cell = set.cell(name);
  const isAmount = set.coverage === "amount" && "timeseries" in item && (name === "value" || name === "duration");
  if (!shares || !isAmount) return cell;
  return (row) => {
    const value = cell(row);
    return typeof value === "number" ? value * (shares[row] ?? 0) : value;
  };
}

function indexReader(index: Extract<RowItem, { index: unknown }>["index"], set: RowSet): CellReader {
  return index === "timeseries" ? (row) => set.floating[row] ?? null : set.cell(indexColumns[index]);
}

/** Reduces the list in each row to one value. */
function subqueryReader(item: Subquery, set: RowSet): CellReader {
  const list = set.cell(expressionName(item.from.unnest));
  const { func } = item.select;
  const field = subqueryElement(item);
  const fields = listElementFields(expressionName(item.from.unnest));
  return (row) => {
    const listed = list(row);
    // A missing list counts as empty: count 0, otherwise no value.
    const elements: readonly unknown[] = Array.isArray(listed) ? listed : [];
    const cell = (name: string) => (index: number) => readElement(elements[index], name);
    const all = Array.from(elements.keys());
    const kept = typeof item.where === "string" ? all.filter(compileElementCondition(item.where, fields, cell)) : all;
    if (field === undefined) return kept.length;
    return aggregate(func, cell(field), kept, { instants: new Float64Array(elements.length), rankOf: () => 0 });
  };
}

function compileElementCondition(
  where: string,
  fields: Readonly<Record<string, ColumnType>>,
  cell: (name: string) => CellReader,
) {
  return compileCondition(parseWhere(where, fields), fields, { cell, epoch: cell });
}

const readElement = (element: unknown, field: string): CellValue =>
  field === ELEMENT_NAME
    ? (element as CellValue)
    : (((element as Record<string, CellValue> | null)?.[field] ?? null) as CellValue);
