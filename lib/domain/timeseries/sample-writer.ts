import { type CellColumn, CellKind, type ChunkColumns, cellAt } from "./chunk/chunk-columns.ts";
import { InstantWriter } from "./instant-writer.ts";
import type { TimeseriesResource } from "./resource.ts";

/** Quotes around the names and times of every sample. JSON text inside a JSON string escapes each with a backslash. */
const QUOTES_PER_SAMPLE = 24;

/**
 * Writes samples as JSON text directly from chunk columns, identical to `JSON.stringify` of `toWireSample`, without
 * an object per sample (docs/performance.md).
 */
export class SampleWriter {
  readonly #instants = new InstantWriter();
  readonly #unit: string;
  readonly #hasValue: boolean;
  readonly #fields: readonly { readonly name: string; readonly label: string }[];
  readonly #fixedEscapes: number;
  #escapes = 0;

  constructor({ unit, value, fields }: TimeseriesResource) {
    const unitText = JSON.stringify(unit);
    this.#unit = `,"unit":${unitText},"timestamp":"`;
    this.#hasValue = value !== "none";
    this.#fields = fields.map(({ name }) => ({ name, label: `,${JSON.stringify(name)}:` }));
    this.#fixedEscapes = QUOTES_PER_SAMPLE + countEscapes(unitText) + fields.length * 2;
  }

  /** Extra bytes of the last written sample in a Lambda response: UTF-8, inside a JSON string. */
  get escapes(): number {
    return this.#escapes;
  }

  /** Writes the sample at an index of the columns. */
  write(columns: ChunkColumns, index: number): string {
    this.#escapes = this.#fixedEscapes;
    const startMs = columns.starts[index] ?? Number.NaN;
    const endMs = columns.ends[index] ?? Number.NaN;
    const offsetS = columns.offsetsS[index] ?? Number.NaN;
    const type = columns.subtypes[index] ?? columns.types[index] ?? null;
    const start = this.#instants.write(startMs);
    const end = Number.isNaN(endMs) || endMs === startMs ? start : this.#instants.write(endMs);
    const head = `{"id":null,"timezone_offset":${Number.isNaN(offsetS) ? "null" : offsetS},"type":`;
    const typeText = type === null ? "null" : this.#quote(type);
    const times = `${this.#unit}${start}","start":"${start}","end":"${end}"`;
    const value = this.#hasValue ? `,"value":${this.#cell(columns.values, index)}` : "";
    return `${head}${typeText}${times}${value}${this.#fieldsAt(columns, index)}}`;
  }

  #fieldsAt({ fields }: ChunkColumns, index: number): string {
    let text = "";
    for (const { name, label } of this.#fields) {
      const column = fields.find((field) => field.name === name);
      text += label + (column ? this.#cell(column.cells, index) : "null");
    }
    return text;
  }

  /** A cell as JSON. Absent cells become null, -0 becomes 0 as in JSON. */
  #cell(cells: CellColumn, index: number): string {
    if (cells.kinds[index] === CellKind.number) return String(cells.numbers[index]);
    return this.#quote(cellAt(cells, index) ?? null);
  }

  #quote(value: unknown): string {
    const text = JSON.stringify(value);
    this.#escapes += countEscapes(text);
    return text;
  }
}

function countEscapes(text: string): number {
  // Exclude the quotes that surround the escaped text.
  return Buffer.byteLength(JSON.stringify(text)) - 2 - text.length;
}
