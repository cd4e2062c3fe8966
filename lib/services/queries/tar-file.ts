const BLOCK_BYTES = 512;

/** A numeric field of a tar header: octal digits, terminated by NUL. */
const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, "0")}\0`;

/** Encodes small files as a tar archive (POSIX ustar). Omits times and owners: equal content gives equal bytes. */
export function encodeTar(files: readonly { readonly name: string; readonly content: Buffer }[]): Buffer {
  const entries = files.flatMap(({ name, content }) => [toTarHeader(name, content.length), padded(content)]);
  return Buffer.concat([...entries, Buffer.alloc(2 * BLOCK_BYTES)]);
}

function toTarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (at: number, text: string) => header.write(text, at, "ascii");
  put(0, name);
  put(100, octal(0o644, 8));
  put(108, octal(0, 8));
  put(116, octal(0, 8));
  put(124, octal(size, 12));
  put(136, octal(0, 12));
  put(148, " ".repeat(8));
  put(156, "0");
  put(257, "ustar\0" + "00");
  const sum = header.reduce((all, byte) => all + byte, 0);
  put(148, `${sum.toString(8).padStart(6, "0")}\0 `);
  return header;
}

const padded = (content: Buffer) =>
  Buffer.concat([content, Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)]);
