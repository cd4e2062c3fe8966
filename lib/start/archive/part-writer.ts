import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { encryptBytes } from "../../crypto/encrypted-bytes.ts";
import type { Item } from "../../store/item.ts";
import type { ArchivePart } from "./archive-manifest.ts";
import { toLine } from "./record-text.ts";

/** Text of a part, in characters. A part is in memory while it is written and read. */
const PART_LENGTH = 8 * 2 ** 20;

/** Writes the records of a table or bucket to files, each compressed and encrypted under its own name. */
export class PartWriter {
  readonly #directory: string;
  readonly #key: Uint8Array;
  readonly #name: string;
  readonly #parts: ArchivePart[] = [];
  #lines: string[] = [];
  #length = 0;

  /** @param name such as `tables/samples`. */
  constructor(directory: string, key: Uint8Array, name: string) {
    this.#directory = directory;
    this.#key = key;
    this.#name = name;
  }

  async add(record: Item): Promise<void> {
    const line = toLine(record);
    this.#lines.push(line);
    this.#length += line.length;
    if (this.#length >= PART_LENGTH) await this.#write();
  }

  /** Writes the rest. @returns all parts. */
  async end(): Promise<readonly ArchivePart[]> {
    if (this.#lines.length > 0) await this.#write();
    return this.#parts;
  }

  async #write(): Promise<void> {
    const name = `${this.#name}-${String(this.#parts.length + 1).padStart(6, "0")}.part`;
    const bytes = encryptBytes(this.#key, gzipSync(this.#lines.join("")), [name]);
    await writeFile(join(this.#directory, name), bytes, { mode: 0o600, flag: "wx" });
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    this.#parts.push({ name, records: this.#lines.length, bytes: bytes.length, sha256 });
    [this.#lines, this.#length] = [[], 0];
  }
}
