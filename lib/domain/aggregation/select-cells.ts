import { aggregate, type FunctionName } from "./aggregates.ts";
import { type ColumnType, indexColumns } from "./columns.ts";
import { holds } from "./condition.ts";
import { elementOf, nameOf } from "./expression-names.ts";
import type { GroupItem, SelectItem } from "./expressions.ts";
import { ELEMENT, elementFields } from "./list-columns.ts";
import type { Cell, RowSet } from "./row-set.ts";
import type { Value } from "./rows.ts";
import { parseWhere } from "./where.ts";

type RowItem = Exclude<SelectItem, { group_key: unknown } | { func: FunctionName }>;
type Subquery = Extract<SelectItem, { from: unknown }>;

/** Compiles a select expression to a cell reader. An amount that counts in part is multiplied by its share. */
export function selectCell(
  item: RowItem | Extract<GroupItem, { source: unknown }>,
  set: RowSet,
  shares?: Float64Array,
): Cell {
  if ("from" in item) return subqueryCell(item, set);
  if ("index" in item) return indexCell(item.index, set);
  const name = nameOf(item);
  const cell = set.cell(name);
  const isAmount = set.coverage === "amount" && "timeseries" in item && (name === "value" || name === "duration");
  if (!shares || !isAmount) return cell;
  return (row) => {
    const value = cell(row);
    return typeof value === "number" ? value * (shares[row] ?? 0) : value;
  };
}

function indexCell(index: Extract<RowItem, { index: unknown }>["index"], set: RowSet): Cell {
  return index === "timeseries" ? (row) => set.floating[row] ?? null : set.cell(indexColumns[index]);
}

/** Reduces the list in each row to one value. */
function subqueryCell(item: Subquery, set: RowSet): Cell {
  const list = set.cell(nameOf(item.from.unnest));
  const { func } = item.select;
  const field = elementOf(item);
  const fields = elementFields(nameOf(item.from.unnest));
  return (row) => {
    const listed = list(row);
    // A missing list counts as empty: count 0, otherwise no value.
    const elements: readonly unknown[] = Array.isArray(listed) ? listed : [];
    const cell = (name: string) => (index: number) => partOf(elements[index], name);
    const all = Array.from(elements.keys());
    const kept = typeof item.where === "string" ? all.filter(conditionOn(item.where, fields, cell)) : all;
    if (field === undefined) return kept.length;
    return aggregate(func, cell(field), kept, { instants: new Float64Array(elements.length), rankOf: () => 0 });
  };
}

function conditionOn(where: string, fields: Readonly<Record<string, ColumnType>>, cell: (name: string) => Cell) {
  return holds(parseWhere(where, fields), fields, { cell, epoch: cell });
}

const partOf = (element: unknown, field: string): Value =>
  field === ELEMENT ? (element as Value) : (((element as Record<string, Value> | null)?.[field] ?? null) as Value);
