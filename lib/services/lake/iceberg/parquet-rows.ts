import { parquetReadObjects } from "hyparquet";
import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { LakeCell, LakeColumn, LakeRow, LakeType } from "../../../domain/lake/lake-column.ts";

/** Rows of a row group: about one page of each column, and a bound of a reader's memory. */
const ROWS_PER_GROUP = 100_000;

/** Parquet types of Iceberg types (Iceberg spec, "Parquet"). */
const parquetTypes: Readonly<Record<LakeType, Partial<SchemaElement>>> = {
  string: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  double: { type: "DOUBLE" },
  int: { type: "INT32" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  timestamptz: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
};

/** Encodes rows as a Parquet file (Snappy) whose columns have the ids of the table. */
export async function encodeRows(columns: readonly LakeColumn[], rows: readonly LakeRow[]): Promise<Uint8Array> {
  const writer = new ByteWriter();
  const parquet = new ParquetWriter({ writer, schema: parquetSchema(columns) });
  for (let first = 0; first < rows.length; first += ROWS_PER_GROUP) {
    const group = rows.slice(first, first + ROWS_PER_GROUP);
    await parquet.write({ columnData: columns.map((column) => toColumn(column, group)), rowGroupSize: group.length });
  }
  await parquet.finish();
  return writer.getBytes();
}

const parquetSchema = (columns: readonly LakeColumn[]): SchemaElement[] => [
  { name: "table", num_children: columns.length },
  ...columns.map(({ id, name, type, isRequired }): SchemaElement => {
    const repetition_type = isRequired ? "REQUIRED" : "OPTIONAL";
    return { name, repetition_type, field_id: id, ...parquetTypes[type] };
  }),
];

function toColumn({ name, type }: LakeColumn, rows: readonly LakeRow[]): ColumnSource {
  const cells = rows.map((row) => row[name] ?? null);
  if (type !== "timestamptz") return { name, data: cells };
  return { name, data: cells.map((ms) => (typeof ms === "number" ? BigInt(ms) * 1000n : null)) };
}

/** Decodes the rows of a file. A column that the file lacks is null. */
export async function decodeRows(columns: readonly LakeColumn[], bytes: Uint8Array): Promise<LakeRow[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  const rows = await parquetReadObjects({ file });
  return rows.map((row) => Object.fromEntries(columns.map(({ name, type }) => [name, toCell(type, row[name])])));
}

const DAY_MS = 24 * 60 * 60 * 1000;

function toCell(type: LakeType, value: unknown): LakeCell {
  if (value instanceof Date) return type === "date" ? value.getTime() / DAY_MS : value.getTime();
  return (value ?? null) as LakeCell;
}
