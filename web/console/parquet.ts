import { type ColumnSource, parquetWriteBuffer, type SchemaElement } from "hyparquet-writer";
import { type PointRow, pointColumns } from "./export/point-rows.ts";

/** Parquet types (parquet-format, "Logical Types"). */
const types = {
  instant: { type: "INT64", logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" } },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  number: { type: "DOUBLE" },
  count: { type: "INT32" },
} as const satisfies Record<string, Partial<SchemaElement>>;

const columns = Object.entries(pointColumns) as [keyof PointRow, keyof typeof types][];
const schema: SchemaElement[] = [
  { name: "points", num_children: columns.length },
  ...columns.map(([name, kind]) => ({ name, repetition_type: "OPTIONAL" as const, ...types[kind] })),
];

/** Encodes points as a Parquet file. A file of its own, which the page loads with the first export. */
export function encodeParquet(rows: readonly PointRow[]): ArrayBuffer {
  const columnData = columns.map(
    ([name, kind]): ColumnSource => ({
      name,
      data: rows.map((row) => (kind === "instant" ? BigInt(Number(row[name])) : row[name])),
    }),
  );
  return parquetWriteBuffer({ columnData, schema });
}
