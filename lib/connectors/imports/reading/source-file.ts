/** A file to import: the given one, or one in the given zip. */
export interface SourceFile {
  /** Its path in the zip, or its name. */
  readonly path: string;
  /** Length in bytes. */
  readonly size: number;
  /** Streams its content. @throws InputError if the zip is damaged. */
  readonly open: () => AsyncIterable<Uint8Array>;
}

const HEAD_BYTES = 4_096;

/** Reads the first 4 KiB of a file as Latin-1: one character per byte, so that patterns work for binary files. */
export async function readHead(file: SourceFile): Promise<string> {
  let head = "";
  for await (const part of file.open()) {
    head += Buffer.from(part).toString("latin1", 0, HEAD_BYTES - head.length);
    if (head.length >= HEAD_BYTES) break;
  }
  return head;
}

/** Reads a whole file into memory, for formats whose files are small. */
export async function readBytes(file: SourceFile): Promise<Buffer<ArrayBuffer>> {
  return Buffer.concat(await Array.fromAsync(file.open()));
}
