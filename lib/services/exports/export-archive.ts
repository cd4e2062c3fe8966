import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
  /** Whether the format of the file already compresses its content. */
  readonly isCompressed: boolean;
  /** Number of records, valid once the content is read; absent for a file without records. */
  readonly records?: () => number;
}

/** Header fields of the manifest of an archive. */
export interface ArchiveMetadata {
  readonly export_id: string;
  readonly user_id: string;
  /** ISO 8601; also the modification time of all files, so that equal data gives equal bytes. */
  readonly created_at: string;
}

/**
 * Streams files into a zip archive, and adds `manifest.json` with the size, SHA-256 and record count of each file.
 * @throws the errors of a content stream or the file system.
 */
export async function writeArchive(
  path: string,
  about: ArchiveMetadata,
  files: AsyncIterable<ArchiveFile>,
): Promise<void> {
  const zip = new ZipFile();
  const options = { mtime: new Date(about.created_at), mode: 0o100644 };
  const breakOff = new AbortController();
  const written = pipeline(zip.outputStream, createWriteStream(path), { signal: breakOff.signal });
  try {
    const listed = [];
    for await (const { name, content, isCompressed, records } of files) {
      const sums = new ContentDigest();
      const stream = Readable.from(sums.through(content));
      zip.addReadStream(stream, name, { ...options, compress: !isCompressed });
      // A full disk ends the output while a content stream still waits to be read.
      await Promise.race([finished(stream), written]).finally(() => stream.destroy());
      listed.push({ name, ...sums.totals(), ...(records ? { records: records() } : {}) });
    }
    zip.addBuffer(Buffer.from(`${JSON.stringify({ ...about, files: listed }, null, 2)}\n`), "manifest.json", options);
    zip.end();
    await written;
  } catch (error) {
    breakOff.abort();
    await written.catch(() => undefined);
    throw error;
  }
}

/** Computes the size and SHA-256 of a stream. */
class ContentDigest {
  readonly #hash = createHash("sha256");
  #bytes = 0;

  async *through(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const part of content) {
      this.#hash.update(part);
      this.#bytes += part.length;
      yield part;
    }
  }

  totals(): { bytes: number; sha256: string } {
    return { bytes: this.#bytes, sha256: this.#hash.digest("hex") };
  }
}
