import { ByteWriter, type ColumnSource, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import type { ExportColumn, ExportValue } from "../../domain/exports/export-columns.ts";
import type { SampleSlice } from "../../domain/timeseries/chunk/sample-slice.ts";

/** Maximum rows and text characters of a row group, which bound the memory of the writer. */
const ROWS_PER_GROUP = 50_000;
const CHARACTERS_PER_GROUP = 8_000_000;

/** Encodes samples as one Parquet file (Snappy; delta-encoded instants). Yields one row group at a time. */
export async function* encodeSamplesParquet(
  columns: readonly ExportColumn[],
  slices: AsyncIterable<SampleSlice>,
): AsyncGenerator<Buffer> {
  const buffer = new ByteWriter();
  const writer = new ParquetWriter({ writer: buffer, schema: schemaOf(columns) });
  let group = new RowGroup(columns);
  for await (const slice of slices) {
    group.add(slice);
    if (!group.isFull) continue;
    await group.writeTo(writer);
    yield drainBuffer(buffer);
    group = new RowGroup(columns);
  }
  await group.writeTo(writer);
  await writer.finish();
  yield drainBuffer(buffer);
}

/** Drains the bytes written since the last call. File offsets continue to count. */
function drainBuffer(buffer: ByteWriter): Buffer {
  const bytes = Buffer.from(buffer.getBuffer());
  buffer.index = 0;
  return bytes;
}

/** Buffers the rows of a row group by column. */
class RowGroup {
  readonly #columns: readonly { readonly column: ExportColumn; readonly data: ExportValue[] }[];
  #rows = 0;
  #characters = 0;

  constructor(columns: readonly ExportColumn[]) {
    this.#columns = columns.map((column) => ({ column, data: [] }));
  }

  get isFull(): boolean {
    return this.#rows >= ROWS_PER_GROUP || this.#characters >= CHARACTERS_PER_GROUP;
  }

  add(slice: SampleSlice): void {
    for (const { column, data } of this.#columns) {
      for (let index = slice.from; index < slice.to; index++) {
        const value = column.read(slice, index);
        if (typeof value === "string") this.#characters += value.length;
        data.push(value);
      }
    }
    this.#rows += slice.to - slice.from;
  }

  async writeTo(writer: ParquetWriter): Promise<void> {
    if (this.#rows === 0) return;
    const columnData = this.#columns.map(({ column: { name, kind }, data }): ColumnSource => {
      return kind === "instant" ? { name, data, encoding: "DELTA_BINARY_PACKED" } : { name, data };
    });
    await writer.write({ columnData, rowGroupSize: this.#rows });
  }
}

const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;

/** Parquet types (parquet-format, "Logical Types"), with the older converted types for older readers. */
const parquetTypes = {
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  number: { type: "DOUBLE" },
  integer: { type: "INT32" },
  text,
  texts: { converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
} as const;

function schemaOf(columns: readonly ExportColumn[]): SchemaElement[] {
  return [{ name: "samples", num_children: columns.length }, ...columns.flatMap(toSchemaElements)];
}

function toSchemaElements({ name, kind, isNullable }: ExportColumn): SchemaElement[] {
  const column: SchemaElement = { name, repetition_type: isNullable ? "OPTIONAL" : "REQUIRED", ...parquetTypes[kind] };
  if (kind !== "texts") return [column];
  return [
    column,
    { name: "list", repetition_type: "REPEATED", num_children: 1 },
    { name: "element", repetition_type: "REQUIRED", ...text },
  ];
}
