import { parseFloating } from "../floating-time.ts";
import type { CellReader, RowSet } from "../rows/row-set.ts";
import type { CellValue } from "../rows/rows.ts";
import type { ColumnType } from "../tables/columns.ts";
import { parseTimeLiteral } from "./parse-time-literal.ts";
import type { Condition, Operator } from "./parse-where.ts";

/** Three-valued logic as in SQL: a comparison with a missing value is unknown (null). */
type Truth = boolean | null;
type Test = (row: number) => Truth;

const operatorTests: Readonly<Record<Operator, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "!=": (order) => order !== 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

/** Compiles a condition to a row predicate. Rows with an unknown result do not match. */
export function compileCondition(
  condition: Condition,
  types: Readonly<Record<string, ColumnType>>,
  rows: Pick<RowSet, "cell" | "epoch">,
): (row: number) => boolean {
  const test = compileTest(condition, types, rows);
  return (row) => test(row) === true;
}

function compileTest(
  condition: Condition,
  types: Readonly<Record<string, ColumnType>>,
  rows: Pick<RowSet, "cell" | "epoch">,
): Test {
  if (condition.kind === "compare") return compileComparison(condition, types[condition.column], rows);
  if (condition.kind === "not") {
    const inner = compileTest(condition.of, types, rows);
    return (row) => {
      const truth = inner(row);
      return truth === null ? null : !truth;
    };
  }
  const parts = condition.of.map((part) => compileTest(part, types, rows));
  const decisive = condition.kind === "or";
  return (row) => {
    let truth: Truth = !decisive;
    for (const part of parts) {
      const one = part(row);
      if (one === decisive) return decisive;
      if (one === null) truth = null;
    }
    return truth;
  };
}

function compileComparison(
  { column, operator, value }: Extract<Condition, { kind: "compare" }>,
  type: ColumnType | undefined,
  rows: Pick<RowSet, "cell" | "epoch">,
): Test {
  const isHeld = operatorTests[operator];
  const [cell, wanted] = comparisonOperands(column, value, type, rows);
  return (row) => {
    const found = cell(row);
    if (found === null) return null;
    return isHeld(found < wanted ? -1 : found > wanted ? 1 : 0);
  };
}

/**
 * Both operands of a comparison on one scale. A date-time with an offset is an instant. A date-time without one is
 * floating time, as columns are. A date compares as a whole day.
 */
function comparisonOperands(
  column: string,
  value: CellValue,
  type: ColumnType | undefined,
  rows: Pick<RowSet, "cell" | "epoch">,
): [CellReader, number | string | boolean] {
  const plain = value as number | string | boolean;
  if (type !== "date" && type !== "instant") return [rows.cell(column), plain];
  const { floatingMs = Number.NaN, instantMs } = parseTimeLiteral(String(value)) ?? {};
  if (type === "date") return [dateReader(rows.cell(column)), floatingMs];
  return instantMs === undefined ? [rows.cell(column), floatingMs] : [rows.epoch(column), instantMs];
}

const dateReader =
  (cell: CellReader): CellReader =>
  (row) => {
    const date = cell(row);
    return typeof date === "string" ? parseFloating(date) : null;
  };
