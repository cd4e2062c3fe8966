import type { ColumnType } from "../../../lib/domain/queries/tables/columns.ts";

/** One column of each type, with literals for comparisons. */
export const fuzzedColumns = [
  { name: "efficiency", type: "number", literals: ["0", "-2.5", "100"] },
  { name: "type", type: "text", literals: ["''", "'it''s'", "'long_sleep'"] },
  { name: "session_start", type: "instant", literals: ["'2026-01-01T00:00:00Z'"] },
  { name: "is_predicted", type: "boolean", literals: ["TRUE", "false"] },
] as const;

/** All columns of the fuzzed conditions, with their types. */
export const fuzzedColumnTypes: Readonly<Record<string, ColumnType>> = {
  ...Object.fromEntries(fuzzedColumns.map(({ name, type }) => [name, type])),
  flow: "list",
};
