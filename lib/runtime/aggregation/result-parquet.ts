import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import type { ColumnType } from "../../domain/aggregation/columns.ts";
import type { ResultTable } from "../../domain/aggregation/evaluate.ts";
import { parseFloating } from "../../domain/aggregation/floating-time.ts";
import type { Value } from "../../domain/aggregation/rows.ts";

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

/** Parquet types (parquet-format, "Logical Types"). Floating time is a timestamp without adjustment to UTC. */
const types = {
  number: { type: "DOUBLE" },
  text,
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  instant: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: false, unit: "MILLIS" } },
  list: text,
} as const satisfies Record<ColumnType, Partial<SchemaElement>>;

const DAY_MS = 86_400_000;

function stored(value: Value, type: ColumnType): unknown {
  if (value === null) return null;
  if (type === "instant") return BigInt(parseFloating(String(value)));
  if (type === "date") return parseFloating(String(value)) / DAY_MS;
  return type === "list" ? JSON.stringify(value) : value;
}

/** Encodes a result as a Parquet file. */
export function resultParquet(table: ResultTable, columns: Readonly<Record<string, ColumnType>>): Buffer {
  const names = Object.keys(columns);
  const schema: SchemaElement[] = [
    { name: "result", num_children: names.length },
    ...names.map((name) => ({ name, repetition_type: "OPTIONAL" as const, ...types[columns[name] ?? "text"] })),
  ];
  const columnData = names.map((name): ColumnSource => {
    const type = columns[name] ?? "text";
    return { name, data: (table[name] ?? []).map((value) => stored(value, type)) };
  });
  return Buffer.from(parquetWriteBuffer({ columnData, schema }));
}
