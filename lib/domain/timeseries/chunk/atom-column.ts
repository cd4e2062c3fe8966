import type { Atom, AtomTableWriter } from "./atom-table.ts";
import { ChunkFormatError } from "./byte-stream.ts";
import type { ReadStreams, WriteStreams } from "./integer-column.ts";
import { readLabels, writeLabels } from "./label-column.ts";

/** The streams and the atom table of a chunk being written. */
export interface ChunkWriter extends WriteStreams {
  atoms: AtomTableWriter;
}

/** The streams and the atom table of a chunk being read; entry 0 of the table is null. */
export interface ChunkReader extends ReadStreams {
  atoms: (Atom | null)[];
}

/** Writes atoms as labels: indexes into the atom table. */
export function writeAtomColumn(writer: ChunkWriter, atoms: readonly (Atom | null)[]): void {
  writeLabels(
    writer,
    Float64Array.from(atoms, (atom) => writer.atoms.numberOf(atom)),
  );
}

/** Reads `count` atoms. */
export function readAtomColumn(reader: ChunkReader, count: number): (Atom | null)[] {
  return pickAtoms(readLabels(reader, count, reader.atoms.length - 1), reader.atoms);
}

/** Reads `count` atoms that must be strings or null. */
export function readStringColumn(reader: ChunkReader, count: number): (string | null)[] {
  const labels = readLabels(reader, count, reader.atoms.length - 1);
  const strings = new Array<string | null>(count).fill(null);
  for (let index = 0; index < count; index++) {
    const atom = reader.atoms[labels[index] ?? 0] ?? null;
    if (typeof atom === "object" && atom !== null) throw new ChunkFormatError("list where a string belongs");
    strings[index] = atom;
  }
  return strings;
}

function pickAtoms<T extends Atom>(labels: Float64Array, atoms: readonly (T | null)[]): (T | null)[] {
  const picked = new Array<T | null>(labels.length).fill(null);
  for (let index = 0; index < labels.length; index++) picked[index] = atoms[labels[index] ?? 0] ?? null;
  return picked;
}
