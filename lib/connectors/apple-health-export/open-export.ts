import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import { crc32 } from "node:zlib";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { isHealthData } from "./health-data-text.ts";
import { InputError } from "./input-error.ts";

/** An export that is ready to be read. */
export interface OpenedExport {
  /** The content of export.xml. */
  readonly bytes: AsyncIterable<Uint8Array>;
  /** Its length. */
  readonly totalBytes: number;
  /** How many files beside it are not imported, by reason. */
  readonly otherFiles: ReadonlyMap<string, number>;
}

const reasonsByExtension: Readonly<Record<string, string>> = {
  gpx: "gpx",
  csv: "electrocardiogram csv",
  xml: "clinical document xml",
  json: "clinical record json",
};

/**
 * Opens an export.zip or export.xml, whatever its name: the content decides.
 * @throws InputError for a file that is missing, damaged or something else.
 */
export async function openExport(path: string): Promise<OpenedExport> {
  const file = await stat(path).catch(() => undefined);
  if (!file) throw new InputError(`There is no file ${path}.`);
  if (!file.isFile()) throw new InputError(`${path} is not a file; give the export.zip or the export.xml in it.`);
  const isZipFile = await isZip(path).catch((error: unknown) => {
    throw new InputError(`${path} can not be read: ${error instanceof Error ? error.message : String(error)}.`);
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

/** Not a folder, nor what macOS adds when it packs a zip again. */
const isContent = ({ fileName }: Entry): boolean => !fileName.endsWith("/") && !fileName.startsWith("__MACOSX/");

const extensionOf = ({ fileName }: Entry): string => /\.(\w+)$/.exec(fileName)?.[1]?.toLowerCase() ?? "";

/** The largest export in the zip; folder and file have other names in other languages. */
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

/** Reads an entry to its end, compares its checksum (which the zip library leaves to us) and closes the zip. */
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
