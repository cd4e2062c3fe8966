import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, open, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { InputError } from "./input-error.ts";
import { readHead, type SourceFile } from "./source-file.ts";
import { openZip } from "./zip-files.ts";

/** The files to import. */
export interface OpenedSource {
  readonly files: readonly SourceFile[];
  close(): Promise<void>;
}

/**
 * Opens a file: a zip with its files, and those of zips in it, or the file itself.
 * @throws InputError if it is missing or damaged.
 */
export async function openSource(path: string): Promise<OpenedSource> {
  const file = await stat(path).catch(() => undefined);
  if (!file) throw new InputError(`There is no file ${path}.`);
  if (!file.isFile()) throw new InputError(`${path} is not a file; pass the zip of the export or one file of it.`);
  await (await open(path).catch(rethrowUnreadable(path))).close();
  const name = path.split(/[/\\]/).at(-1) ?? path;
  const single: SourceFile = { path: name, size: file.size, open: () => createReadStream(path) };
  if (!(await readHead(single)).startsWith("PK")) return { files: [single], close: async () => undefined };
  return openArchive(path);
}

const rethrowUnreadable = (path: string) => (error: unknown) => {
  throw new InputError(`Cannot read ${path}: ${error instanceof Error ? error.message : String(error)}.`);
};

/** Opens a zip. Copies the zips in it to a temporary folder, because only a file can be read out of order. */
async function openArchive(path: string): Promise<OpenedSource> {
  const outer = await openZip(path);
  const closers: (() => unknown)[] = [outer.close];
  const close = async () => {
    for (const one of closers) await one();
  };
  try {
    const files: SourceFile[] = [];
    for (const file of outer.files) {
      if (!/\.zip$/i.test(file.path) || !(await readHead(file)).startsWith("PK")) files.push(file);
      else files.push(...(await openInner(file, closers)));
    }
    return { files, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openInner(file: SourceFile, closers: (() => unknown)[]): Promise<SourceFile[]> {
  const folder = await mkdtemp(join(tmpdir(), "tributary-import-"));
  closers.unshift(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "part.zip");
  await pipeline(Readable.from(file.open()), createWriteStream(path, { mode: 0o600 }));
  const inner = await openZip(path);
  closers.unshift(inner.close);
  return inner.files.map((one) => ({ ...one, path: `${file.path}/${one.path}` }));
}
