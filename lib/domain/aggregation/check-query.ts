import { type ColumnType, indexColumns, type TableName, tableColumns } from "./columns.ts";
import type { GroupItem, SelectItem } from "./expressions.ts";
import type { AggregationQuery } from "./query.ts";
import { fieldTypes } from "./timeseries-fields.ts";
import { parseWhere, WhereRefused } from "./where.ts";

/** Why a query that is well formed means nothing, and where in it. */
export interface QueryProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** What a query that means something will answer. */
export interface CheckedQuery {
  /** The table it is about, or the name of its timeseries. */
  readonly table: TableName | { readonly timeseries: string };
  /** Output columns by name, with what they hold. */
  readonly columns: Readonly<Record<string, ColumnType>>;
}

const macroTypes: Readonly<Record<string, ColumnType>> = {
  sleep_score: "number",
  chronotype: "text",
  asleep_at: "instant",
  awake_at: "instant",
  awakenings: "number",
};
const ofNumbers: readonly string[] = ["mean", "sum", "median", "stddev"];
const INTEGER_PARTS = "number";

/** Checks what the shape of a query can not say. @returns every problem, or what the query will answer. */
export function checkQuery(query: AggregationQuery): CheckedQuery | readonly QueryProblem[] {
  const checker = new Checker(query);
  const columns = checker.outputColumns();
  checker.checkGroups();
  checker.checkWhere();
  const { table } = checker;
  return checker.problems.length > 0 || table === undefined ? checker.problems : { table, columns };
}

class Checker {
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
    if (this.table === undefined) this.#refuse(["select"], "Nothing says which table the query is about");
  }

  outputColumns(): Record<string, ColumnType> {
    const columns: Record<string, ColumnType> = {};
    for (const [index, item] of this.#query.select.entries()) {
      this.#checkSelected(item, ["select", index]);
      for (const [name, type] of this.#outputs(item, ["select", index])) {
        if (name in columns) this.#refuse(["select", index], `A second column named ${name}`);
        columns[name] = type;
      }
    }
    return columns;
  }

  checkGroups(): void {
    const truncated = this.#groups.filter((item) => "date_trunc" in item).length;
    if (truncated > 1) this.#refuse(["group_by"], "At most one date_trunc");
    if (this.#query.align && truncated === 0) this.#refuse(["align"], "Only groups of a date_trunc can be filled");
  }

  checkWhere(): void {
    if (typeof this.#query.where !== "string") return;
    this.#checkCondition(this.#query.where, this.#columnsOfTable(), ["where"]);
  }

  #checkCondition(where: string, columns: Readonly<Record<string, ColumnType>>, path: QueryProblem["path"]): void {
    try {
      parseWhere(where, columns);
    } catch (error) {
      if (!(error instanceof WhereRefused)) throw error;
      this.#refuse(path, error.message);
    }
  }

  /** In groups, and beside an aggregate, only what has one value for the whole group can be selected. */
  #checkSelected(item: SelectItem, path: QueryProblem["path"]): void {
    const isOfGroup = "func" in item || "group_key" in item;
    const needsGroup = this.#groups.length > 0 || this.#query.select.some((other) => "func" in other);
    if (!isOfGroup && needsGroup) this.#refuse(path, "Beside groups or aggregates, only these can be selected");
    if ("group_key" in item && (this.#groups.length === 0 || Number(item.group_key) >= this.#groups.length)) {
      this.#refuse(path, "There is no such group key");
    }
  }

  /** The output columns of one selected item. */
  #outputs(item: SelectItem, path: QueryProblem["path"]): [string, ColumnType][] {
    if ("group_key" in item) {
      const all = this.#groups.map((group, index): [string, ColumnType] => [`group_key.${index}`, this.#typeOf(group)]);
      return item.group_key === "*" ? all : all.slice(item.group_key, item.group_key + 1);
    }
    if ("func" in item) {
      const type = this.#typeOf(item.arg);
      if (ofNumbers.includes(item.func) && type !== "number") this.#refuse(path, `No ${item.func} of a ${type}`);
      return [[`${nameOf(item.arg)}.${item.func}`, item.func === "count" ? "number" : type]];
    }
    return [[nameOf(item), this.#typeOf(item)]];
  }

  #typeOf(item: SelectItem | GroupItem): ColumnType {
    if ("date_trunc" in item) return "instant";
    if ("date_part" in item) return INTEGER_PARTS;
    if ("value_macro" in item) return macroTypes[item.value_macro] ?? "text";
    if ("source" in item) return "text";
    if ("from" in item) return item.select.func === "count" ? "number" : "text";
    const columns = this.#columnsOfTable();
    if ("index" in item)
      return item.index === "timeseries" ? "instant" : (columns[indexColumns[item.index]] ?? "instant");
    return columns[nameOf(item)] ?? "text";
  }

  #columnsOfTable(): Readonly<Record<string, ColumnType>> {
    if (this.table === undefined) return {};
    return typeof this.table === "string" ? tableColumns[this.table] : fieldTypes(this.table.timeseries);
  }

  /** Every expression of a query is about the same table. */
  #checkTable(item: SelectItem | GroupItem, path: QueryProblem["path"]): void {
    const found = tableOf(item);
    if (found === undefined) return;
    const isSame = this.table === undefined || nameOfTable(this.table) === nameOfTable(found) || found === "timeseries";
    if (!isSame) this.#refuse(path, "About another table than what stands before");
    if (found !== "timeseries") this.table ??= found;
    if ("from" in item) this.#checkSubquery(item, path);
  }

  #checkSubquery(item: Extract<SelectItem, { from: unknown }>, path: QueryProblem["path"]): void {
    if (this.#typeOf(item.from.unnest) !== "list") this.#refuse([...path, "from", "unnest"], "Not a column of lists");
  }

  #refuse(path: QueryProblem["path"], message: string): void {
    this.problems.push({ path, message });
  }
}

const nameOfTable = (table: CheckedQuery["table"] | "timeseries") =>
  typeof table === "string" ? table : `timeseries ${table.timeseries}`;

/** The table that an expression names; `timeseries` for the index of whatever timeseries the query is about. */
function tableOf(item: SelectItem | GroupItem): CheckedQuery["table"] | "timeseries" | undefined {
  if ("func" in item) return tableOf(item.arg);
  if ("from" in item) return tableOf(item.from.unnest);
  if ("date_trunc" in item || "date_part" in item) return item.arg.index;
  if ("index" in item) return item.index;
  if ("timeseries" in item) return { timeseries: item.timeseries };
  if ("value_macro" in item) return "sleep";
  const [name] = Object.keys(item);
  return name !== undefined && name in tableColumns ? (name as TableName) : undefined;
}

/** The name of the output column of an expression. */
function nameOf(item: SelectItem | GroupItem): string {
  if ("from" in item) return nameOf(item.from.unnest);
  if ("timeseries" in item) return item.field;
  if ("value_macro" in item) return item.value_macro;
  if ("source" in item) return item.source;
  if ("index" in item) return "index";
  return String(Object.values(item)[0]);
}
