import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** A file of an archive. */
export interface ArchiveFile {
  readonly name: string;
  readonly content: AsyncIterable<Buffer>;
  /** Whether its format compresses by itself. */
  readonly isCompressed: boolean;
  /** How many records it has, known once its content has been read; absent where it holds none. */
  readonly records?: () => number;
}

/** What the manifest of an archive tells of itself. */
export interface ArchiveAbout {
  readonly export_id: string;
  readonly user_id: string;
  /** ISO 8601; also the time of all files, so that the same data gives the same bytes. */
  readonly created_at: string;
}

/**
 * Writes a zip file, each content as it comes, and last `manifest.json` with size, SHA-256 and count of the others.
 * @throws what a content throws, or the file system.
 */
export async function writeArchive(
  path: string,
  about: ArchiveAbout,
  files: AsyncIterable<ArchiveFile>,
): Promise<void> {
  const zip = new ZipFile();
  const options = { mtime: new Date(about.created_at), mode: 0o100644 };
  const breakOff = new AbortController();
  const written = pipeline(zip.outputStream, createWriteStream(path), { signal: breakOff.signal });
  try {
    const listed = [];
    for await (const { name, content, isCompressed, records } of files) {
      const sums = new Sums();
      const stream = Readable.from(sums.through(content));
      zip.addReadStream(stream, name, { ...options, compress: !isCompressed });
      // A full disk ends the writing while a content still waits to be read.
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

/** Size and SHA-256 of what passes. */
class Sums {
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
