import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { ZipFile } from "yazl";

/** Writes a zip with files by their path. */
export async function writeZip(
  path: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  compress = true,
): Promise<string> {
  const zip = new ZipFile();
  for (const [name, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), name, { compress });
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}
