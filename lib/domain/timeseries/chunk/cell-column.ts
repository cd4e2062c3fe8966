import type { ChunkReader, ChunkWriter } from "./atom-column.ts";
import { readAtomColumn, readStringColumn, writeAtomColumn } from "./atom-column.ts";
import type { Atom } from "./atom-table.ts";
import { MAX_FIELDS_PER_CHUNK } from "./check-columns.ts";
import type { CellColumn, ChunkColumns } from "./chunk-columns.ts";
import { CellKind } from "./chunk-columns.ts";
import { readLabels, writeLabels } from "./label-column.ts";
import { readNumbers, writeNumbers } from "./number-column.ts";

/** Writes the kind of each cell, then the numbers, then the strings and lists. */
export function writeCells(writer: ChunkWriter, { kinds, numbers, atoms }: CellColumn): void {
  writeLabels(writer, new Float64Array(kinds));
  writeNumbers(
    writer,
    numbers.filter((_, index) => kinds[index] === CellKind.number),
  );
  writeAtomColumn(
    writer,
    atoms.filter((_, index) => kinds[index] === CellKind.atom),
  );
}

/** Reads `count` cells. */
export function readCells(reader: ChunkReader, count: number): CellColumn {
  const kinds = new Uint8Array(readLabels(reader, count, CellKind.atom));
  const numberPlaces = indexesOfKind(kinds, CellKind.number);
  const numbers = scatter(readNumbers(reader, numberPlaces.length), numberPlaces, count);
  const atomPlaces = indexesOfKind(kinds, CellKind.atom);
  const atoms: (Atom | null)[] = atomPlaces.length === 0 ? [] : new Array(count).fill(null);
  for (const [index, atom] of readAtomColumn(reader, atomPlaces.length).entries()) atoms[atomPlaces[index] ?? 0] = atom;
  return { kinds, numbers, atoms };
}

/** Writes the extra fields: their number, then name and cells of each. */
export function writeFields(writer: ChunkWriter, fields: ChunkColumns["fields"]): void {
  writer.packed.varint(fields.length);
  for (const { name, cells } of fields) {
    writeAtomColumn(writer, [name]);
    writeCells(writer, cells);
  }
}

/** Reads the extra fields of `count` samples. */
export function readFields(reader: ChunkReader, count: number): ChunkColumns["fields"] {
  const fields = reader.packed.count(MAX_FIELDS_PER_CHUNK, "number of extra fields");
  return Array.from({ length: fields }, () => ({
    name: readStringColumn(reader, 1)[0] ?? "",
    cells: readCells(reader, count),
  }));
}

/** Scatters values to their indexes among `count` cells; NaN elsewhere. */
function scatter(values: Float64Array, places: Uint32Array, count: number): Float64Array {
  if (places.length === count) return values;
  const cells = new Float64Array(count).fill(Number.NaN);
  for (let index = 0; index < places.length; index++) cells[places[index] ?? 0] = values[index] ?? 0;
  return cells;
}

function indexesOfKind(kinds: Uint8Array, kind: number): Uint32Array {
  const places = new Uint32Array(kinds.length);
  let found = 0;
  for (let index = 0; index < kinds.length; index++) if (kinds[index] === kind) places[found++] = index;
  return places.subarray(0, found);
}
