import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { InputError } from "./input-error.ts";
import type { SourceFile } from "./source-file.ts";

/** An opened zip. */
interface OpenedZip {
  readonly files: readonly SourceFile[];
  close(): void;
}

/** Opens a zip and lists its files. Folders and the metadata of macOS do not count. @throws InputError if it is damaged. */
export async function openZip(path: string): Promise<OpenedZip> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowDamaged);
  try {
    const entries = (await Array.fromAsync(zip.eachEntry()).catch(rethrowDamaged)).filter(isContent);
    return { files: entries.map((entry) => toSourceFile(zip, entry)), close: () => zip.close() };
  } catch (error) {
    zip.close();
    throw error;
  }
}

const isContent = ({ fileName }: Entry): boolean => !fileName.endsWith("/") && !fileName.startsWith("__MACOSX/");

function toSourceFile(zip: ZipFile, entry: Entry): SourceFile {
  return { path: entry.fileName, size: entry.uncompressedSize, open: () => checkedContent(zip, entry) };
}

/** Streams an entry and verifies its CRC-32, which yauzl does not. A reader that stops early closes the stream. */
async function* checkedContent(zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array> {
  if (entry.isEncrypted()) throw new InputError("The zip is encrypted; unpack it and import the files in it.");
  let checksum = 0;
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) {
      checksum = crc32(part, checksum);
      yield part;
    }
  } catch (error) {
    if (error instanceof InputError) throw error;
    rethrowDamaged(error);
  }
  if (checksum !== entry.crc32) rethrowDamaged(new Error(`checksum of ${entry.fileName} differs`));
}

function rethrowDamaged(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new InputError(`The zip is damaged: ${reason.replace(/\.$/, "")}.`);
}
