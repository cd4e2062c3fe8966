import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { InputError } from "../../../../lib/connectors/imports/reading/input-error.ts";
import { openSource } from "../../../../lib/connectors/imports/reading/open-source.ts";
import { writeZip } from "./write-zip.ts";

const folder = mkdtempSync(join(tmpdir(), "import-source-"));
const EXPORT = '<?xml version="1.0"?><!DOCTYPE HealthData [<!ELEMENT HealthData (Me)>]><HealthData><Me/></HealthData>';

const zipOf = (name: string, files: Record<string, string | Buffer>, compress = true) =>
  writeZip(join(folder, name), files, compress);

const contentOf = async (bytes: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(bytes)).toString("utf8");

/** Opens a file and reads all files in it. */
async function read(path: string): Promise<Record<string, string>> {
  const { files, close } = await openSource(path);
  const contents = await Promise.all(files.map(async (file) => [file.path, await contentOf(file.open())] as const));
  await close();
  return Object.fromEntries(contents);
}

describe("openSource", () => {
  test("opens a single file", async () => {
    const path = join(folder, "plain.xml");
    writeFileSync(path, EXPORT);
    expect(await read(path)).toEqual({ "plain.xml": EXPORT });
  });

  test("lists the files of a zip and of the zips in it, without folders and the metadata of macOS", async () => {
    const inner = await readFile(await zipOf("inner.zip", { "a.fit": "fit", "b/c.fit": "more" }));
    const path = await zipOf("outer.zip", {
      "export/export.xml": EXPORT,
      "export/no archive.zip": "text",
      "export/parts.zip": inner,
      "__MACOSX/export/._export.xml": "x",
    });
    expect(await read(path)).toEqual({
      "export/export.xml": EXPORT,
      "export/no archive.zip": "text",
      "export/parts.zip/a.fit": "fit",
      "export/parts.zip/b/c.fit": "more",
    });
  });

  test("detects modified content inside the zip", async () => {
    const path = await zipOf("changed.zip", { "export.xml": EXPORT }, false);
    const bytes = await readFile(path);
    bytes.write("NO", bytes.indexOf("<Me/>") + 1);
    writeFileSync(path, bytes);
    await expect(read(path)).rejects.toThrow(/^The zip is damaged/);
  });

  test("rejects what it cannot open with a one-line message", async () => {
    const whole = await readFile(await zipOf("whole.zip", { "export.xml": EXPORT }));
    writeFileSync(join(folder, "cut.zip"), whole.subarray(0, whole.length - 40));
    writeFileSync(join(folder, "empty.zip"), "PK");
    for (const [name, message] of [
      ["missing.zip", "There is no file"],
      [".", "is not a file"],
      ["cut.zip", "The zip is damaged"],
      ["empty.zip", "The zip is damaged"],
    ] as const) {
      const error = await openSource(join(folder, name)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain("\n");
    }
  });
});
