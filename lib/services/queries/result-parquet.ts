import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import type { ResultTable } from "../../domain/queries/evaluation/evaluate-query.ts";
import { parseFloating } from "../../domain/queries/floating-time.ts";
import type { CellValue } from "../../domain/queries/rows/rows.ts";
import type { ColumnType } from "../../domain/queries/tables/columns.ts";
import { DAY_MS } from "../../domain/shared/durations.ts";

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

/** Parquet types (parquet-format, "Logical Types"). Floating time is a timestamp without adjustment to UTC. */
const parquetTypes = {
  number: { type: "DOUBLE" },
  text,
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  instant: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } },
  list: text,
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

function toParquetValue(value: CellValue, type: ColumnType): unknown {
  if (value === null) return null;
  if (type === "instant") return BigInt(parseFloating(String(value)));
  if (type === "date") return parseFloating(String(value)) / DAY_MS;
  return type === "list" ? JSON.stringify(value) : value;
}

/** Encodes a result as a Parquet file. */
export function encodeResultParquet(table: ResultTable, columns: Readonly<Record<string, ColumnType>>): Buffer {
  const names = Object.keys(columns);
  const schema: SchemaElement[] = [
    { name: "result", num_children: names.length },
    ...names.map((name) => ({ name, repetition_type: "OPTIONAL" as const, ...parquetTypes[columns[name] ?? "text"] })),
  ];
  const columnData = names.map((name): ColumnSource => {
    const type = columns[name] ?? "text";
    return { name, data: (table[name] ?? []).map((value) => toParquetValue(value, type)) };
  });
  return Buffer.from(parquetWriteBuffer({ columnData, schema }));
}
