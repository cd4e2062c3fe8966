import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { isHealthData } from "./health-data-text.ts";
import { InputError } from "./input-error.ts";

/** An opened export. */
export interface OpenedExport {
  /** The content of export.xml. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Length of export.xml in bytes. */
  readonly totalBytes: number;
  /** Number of other files in the archive, by the reason why they are not imported. */
  readonly otherFiles: ReadonlyMap<string, number>;
}

const reasonsByExtension: Readonly<Record<string, string>> = {
  gpx: "gpx",
  csv: "electrocardiogram csv",
  xml: "clinical document xml",
  json: "clinical record json",
};

/**
 * Opens an export.zip or export.xml. Detects the format by content, not by name.
 * @throws InputError if the file is missing, damaged or not an export.
 */
export async function openExport(path: string): Promise<OpenedExport> {
  const file = await stat(path).catch(() => undefined);
  if (!file) throw new InputError(`There is no file ${path}.`);
  if (!file.isFile()) throw new InputError(`${path} is not a file; pass the export.zip or the export.xml in it.`);
  const isZipFile = await isZip(path).catch((error: unknown) => {
    throw new InputError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`);
  });
  if (isZipFile) return openZip(path);
  return { bytes: createReadStream(path), totalBytes: file.size, otherFiles: new Map() };
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString("latin1").startsWith("PK");
  } finally {
    await file.close();
  }
}

async function openZip(path: string): Promise<OpenedExport> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch(rethrowDamaged);
  try {
    const entries = (await Array.fromAsync(zip.eachEntry()).catch(rethrowDamaged)).filter(isContent);
    const main = await findMain(zip, entries);
    const otherFiles = countByReason(entries.filter((entry) => entry !== main));
    return { bytes: checkedContent(zip, main), totalBytes: main.uncompressedSize, otherFiles };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function countByReason(entries: readonly Entry[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    const reason = reasonsByExtension[extensionOf(entry)] ?? "other file";
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

/** Returns false for folders and for the metadata that macOS adds to a repacked zip. */
const isContent = ({ fileName }: Entry): boolean => !fileName.endsWith("/") && !fileName.startsWith("__MACOSX/");

const extensionOf = ({ fileName }: Entry): string => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";

/** Finds the largest export in the zip. The names of folder and file depend on the language. */
async function findMain(zip: ZipFile, entries: readonly Entry[]): Promise<Entry> {
  const candidates = entries.filter((entry) => extensionOf(entry) === "xml");
  for (const entry of candidates.sort((a, b) => b.uncompressedSize - a.uncompressedSize)) {
    if (entry.isEncrypted()) throw new InputError("The zip is encrypted; unpack it and import the export.xml in it.");
    if (await isHealthData(content(zip, entry))) return entry;
  }
  throw new InputError("This is not an Apple Health export: no XML file in the zip has a <HealthData> element.");
}

async function* content(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  try {
    yield* await zip.openReadStreamPromise(entry);
  } catch (error) {
    rethrowDamaged(error);
  }
}

/** Streams an entry, verifies its CRC-32 (yauzl does not) and closes the zip. */
async function* checkedContent(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let checksum = 0;
  try {
    for await (const part of content(zip, entry)) {
      checksum = crc32(part, checksum);
      yield part;
    }
    if (checksum !== entry.crc32) rethrowDamaged(new Error(`checksum of ${entry.fileName} differs`));
  } finally {
    zip.close();
  }
}

function rethrowDamaged(error: unknown): never {
  const reason = error instanceof Error ? error.message : String(error);
  throw new InputError(`The zip is damaged: ${reason.replace(/\.$/, "")}.`);
}
