import type { AggregationQuery } from "./aggregation-query.ts";
import { checkAlignment } from "./check-alignment.ts";
import {
  expressionName,
  expressionTable,
  type QueriedTable,
  subqueryElement,
  tableLabel,
} from "./expressions/expression-names.ts";
import type { GroupItem, SelectItem } from "./expressions/expressions.ts";
import { InvalidWhereError, parseWhere } from "./expressions/parse-where.ts";
import type { QueryProblem } from "./query-problem.ts";
import { type ColumnType, indexColumns, tableColumns } from "./tables/columns.ts";
import { listElementFields } from "./tables/list-columns.ts";
import { timeseriesFieldTypes } from "./tables/timeseries-fields.ts";

/** A valid query: the table it reads and the columns it returns. */
export interface CheckedQuery {
  readonly table: QueriedTable;
  /** Output columns and their types, by name. */
  readonly columns: Readonly<Record<string, ColumnType>>;
}

type Subquery = Extract<SelectItem, { from: unknown }>;

const macroTypes: Readonly<Record<string, ColumnType>> = {
  sleep_score: "number",
  chronotype: "text",
  asleep_at: "instant",
  awake_at: "instant",
  awakenings: "number",
};
const numericFunctions: readonly string[] = ["mean", "sum", "median", "stddev"];
const orderedFunctions: readonly string[] = ["oldest", "newest"];

/** Column types of a table, by column name. */
export function tableColumnTypes(table: QueriedTable): Readonly<Record<string, ColumnType>> {
  return typeof table === "string" ? tableColumns[table] : timeseriesFieldTypes(table.timeseries);
}

/**
 * Checks the rules that the schema cannot express.
 * @returns every problem, or the checked query.
 */
export function checkQuery(query: AggregationQuery): CheckedQuery | readonly QueryProblem[] {
  const checker = new QueryChecker(query);
  const columns = checker.outputColumns();
  checker.checkGroups();
  checker.checkWhere();
  const { table } = checker;
  return checker.problems.length > 0 || table === undefined ? checker.problems : { table, columns };
}

class QueryChecker {
  readonly problems: QueryProblem[] = [];
  table: CheckedQuery["table"] | undefined;
  readonly #query: AggregationQuery;
  readonly #groups: readonly GroupItem[];

  constructor(query: AggregationQuery) {
    this.#query = query;
    this.#groups = query.group_by ?? [];
    for (const [name, items] of [
      ["select", query.select],
      ["group_by", this.#groups],
    ] as const) {
      for (const [index, item] of items.entries()) this.#checkTable(item, [name, index]);
    }
    if (this.table === undefined) this.#refuse(["select"], "The query names no table");
  }

  outputColumns(): Record<string, ColumnType> {
    const columns: Record<string, ColumnType> = {};
    for (const [index, item] of this.#query.select.entries()) {
      this.#checkSelected(item, ["select", index]);
      for (const [name, type] of this.#outputs(item, ["select", index])) {
        if (name in columns) this.#refuse(["select", index], `Duplicate column ${name}`);
        columns[name] = type;
      }
    }
    return columns;
  }

  checkGroups(): void {
    const truncated = this.#groups.filter((item) => "date_trunc" in item).length;
    if (truncated > 1) this.#refuse(["group_by"], "A query can group by at most one date_trunc");
    for (const [index, item] of this.#groups.entries()) {
      if (this.#typeOf(item) === "list") this.#refuse(["group_by", index], "A list cannot be a group key");
    }
    this.problems.push(...checkAlignment(this.#query));
  }

  checkWhere(): void {
    if (typeof this.#query.where === "string")
      this.#checkCondition(this.#query.where, this.#columnsOfTable(), ["where"]);
  }

  #checkCondition(where: string, columns: Readonly<Record<string, ColumnType>>, path: QueryProblem["path"]): void {
    try {
      parseWhere(where, columns);
    } catch (error) {
      if (!(error instanceof InvalidWhereError)) throw error;
      this.#refuse(path, error.message);
    }
  }

  /** A grouped or aggregated query can select only values that a whole group shares. */
  #checkSelected(item: SelectItem, path: QueryProblem["path"]): void {
    const isOfGroup = "func" in item || "group_key" in item;
    const needsGroup = this.#groups.length > 0 || this.#query.select.some((other) => "func" in other);
    if (!isOfGroup && needsGroup)
      this.#refuse(path, "A grouped or aggregated query selects only aggregates and group keys");
    if (!isOfGroup && this.#typeOf(item) === "list") this.#refuse(path, "A list requires a sub-query");
    if ("group_key" in item && (this.#groups.length === 0 || Number(item.group_key) >= this.#groups.length)) {
      this.#refuse(path, "Unknown group key");
    }
  }

  /** Output columns of one select item. */
  #outputs(item: SelectItem, path: QueryProblem["path"]): [string, ColumnType][] {
    if ("group_key" in item) {
      const all = this.#groups.map((group, index): [string, ColumnType] => [`group_key.${index}`, this.#typeOf(group)]);
      return item.group_key === "*" ? all : all.slice(item.group_key, item.group_key + 1);
    }
    if (!("func" in item)) return [[expressionName(item), this.#typeOf(item)]];
    const type = this.#typeOf(item.arg);
    const isNumber = type === "number" || !numericFunctions.includes(item.func);
    if (!isNumber || (type === "list" && item.func !== "count"))
      this.#refuse(path, `${item.func} does not accept a ${type}`);
    return [[expressionName(item), item.func === "count" ? "number" : type]];
  }

  #typeOf(item: SelectItem | GroupItem): ColumnType {
    if ("date_trunc" in item) return "instant";
    if ("date_part" in item) return "number";
    if ("value_macro" in item) return macroTypes[item.value_macro] ?? "text";
    if ("source" in item) return "text";
    if ("from" in item) return this.#typeOfSubquery(item);
    const columns = this.#columnsOfTable();
    if ("index" in item)
      return item.index === "timeseries" ? "instant" : (columns[indexColumns[item.index]] ?? "instant");
    return columns[expressionName(item)] ?? "text";
  }

  #typeOfSubquery(item: Subquery): ColumnType {
    const element = subqueryElement(item);
    if (item.select.func === "count" || element === undefined) return "number";
    return listElementFields(expressionName(item.from.unnest))[element] ?? "text";
  }

  #columnsOfTable(): Readonly<Record<string, ColumnType>> {
    return this.table === undefined ? {} : tableColumnTypes(this.table);
  }

  /** All expressions of a query must read the same table. */
  #checkTable(item: SelectItem | GroupItem, path: QueryProblem["path"]): void {
    const found = expressionTable(item);
    if (found === undefined) return;
    const isIndex = found === "timeseries" && typeof this.table !== "string";
    const isSame = this.table === undefined || isIndex || tableLabel(this.table) === tableLabel(found);
    if (!isSame) this.#refuse(path, "A query reads one table; this expression names another");
    if (found !== "timeseries") this.table ??= found;
    if ("from" in item) this.#checkSubquery(item, path);
    else if ("func" in item && "from" in item.arg) this.#checkSubquery(item.arg, [...path, "arg"]);
  }

  #checkSubquery(item: Subquery, path: QueryProblem["path"]): void {
    const { select, from, where } = item;
    if (this.#typeOf(from.unnest) !== "list") this.#refuse([...path, "from", "unnest"], "Not a list column");
    const fields = listElementFields(expressionName(from.unnest));
    const element = subqueryElement(item);
    if (element === undefined && select.func !== "count")
      this.#refuse([...path, "select"], `${select.func} requires an argument`);
    if (element !== undefined && !Object.hasOwn(fields, element))
      this.#refuse([...path, "select"], "Unknown field of the list");
    if (orderedFunctions.includes(select.func)) this.#refuse([...path, "select"], "List elements have no time order");
    const isNumber = !numericFunctions.includes(select.func) || this.#typeOfSubquery(item) === "number";
    if (!isNumber) this.#refuse([...path, "select"], `${select.func} does not accept a ${this.#typeOfSubquery(item)}`);
    if (typeof where === "string") this.#checkCondition(where, fields, [...path, "where"]);
  }

  #refuse(path: QueryProblem["path"], message: string): void {
    this.problems.push({ path, message });
  }
}
