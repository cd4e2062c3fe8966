import type { ByteReader } from "./byte-stream.ts";
import { ByteWriter, ChunkFormatError } from "./byte-stream.ts";

/** An interned value, stored once per chunk and referenced by number: a string or a list of strings. */
export type Atom = string | readonly string[];

const UTF8 = 0;
const UTF16 = 1;
const LIST = 2;

/** Numbers the atoms of a chunk from 1 in order of first use; 0 stands for null. */
export class AtomTableWriter {
  private readonly numbers = new Map<string, number>();
  private readonly entries = new ByteWriter();

  numberOf(atom: Atom | null): number {
    if (atom === null) return 0;
    const key = typeof atom === "string" ? `"${atom}` : JSON.stringify(atom);
    return this.numbers.get(key) ?? this.add(key, atom);
  }

  /** Writes the table: the number of atoms, then kind, length and bytes of each. */
  writeTo(target: ByteWriter): void {
    target.varint(this.numbers.size);
    target.bytes(this.entries.written());
  }

  private add(key: string, atom: Atom): number {
    this.numbers.set(key, this.numbers.size + 1);
    // A string with a lone surrogate has no UTF-8 form. In lists, JSON escapes it.
    const kind = typeof atom !== "string" ? LIST : atom.isWellFormed() ? UTF8 : UTF16;
    const bytes = Buffer.from(typeof atom === "string" ? atom : key, kind === UTF16 ? "utf16le" : "utf8");
    this.entries.varint(bytes.length * 4 + kind);
    this.entries.bytes(bytes);
    return this.numbers.size;
  }
}

/** Reads an atom table; entry 0 is null. */
export function readAtoms(reader: ByteReader): (Atom | null)[] {
  const size = reader.count(reader.remaining, "number of atoms");
  const atoms: (Atom | null)[] = [null];
  while (atoms.length <= size) atoms.push(readAtom(reader));
  return atoms;
}

function readAtom(reader: ByteReader): Atom {
  const head = reader.varint();
  const kind = head % 4;
  const { buffer, byteOffset, byteLength } = reader.bytes(Math.floor(head / 4));
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  if (kind === UTF8) return bytes.toString("utf8");
  if (kind === UTF16) return bytes.toString("utf16le");
  const list: unknown = kind === LIST ? JSON.parse(bytes.toString("utf8")) : undefined;
  if (!Array.isArray(list)) throw new ChunkFormatError(`unknown atom kind ${kind}`);
  return list.map((item: unknown) => {
    if (typeof item !== "string") throw new ChunkFormatError("list holds a value that is not a string");
    return item;
  });
}
