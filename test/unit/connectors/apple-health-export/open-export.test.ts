import { createWriteStream, mkdtempSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import { ZipFile } from "yazl";
import { InputError } from "../../../../lib/connectors/apple-health-export/input-error.ts";
import { openExport } from "../../../../lib/connectors/apple-health-export/open-export.ts";

const folder = mkdtempSync(join(tmpdir(), "apple-health-"));
const EXPORT = '<?xml version="1.0"?><!DOCTYPE HealthData [<!ELEMENT HealthData (Me)>]><HealthData><Me/></HealthData>';
const CDA = `<?xml version="1.0"?><ClinicalDocument>${"<x/>".repeat(1_000)}</ClinicalDocument>`;

async function zipOf(name: string, files: Record<string, string>, compress = true): Promise<string> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(files)) zip.addBuffer(Buffer.from(content), path, { compress });
  zip.end();
  const path = join(folder, name);
  await pipeline(zip.outputStream, createWriteStream(path));
  return path;
}

const contentOf = async (bytes: AsyncIterable<Uint8Array>) =>
  Buffer.concat(await Array.fromAsync(bytes)).toString("utf8");

describe("openExport", () => {
  test("opens a plain export.xml", async () => {
    const path = join(folder, "plain.xml");
    writeFileSync(path, EXPORT);
    const opened = await openExport(path);
    expect(await contentOf(opened.bytes)).toBe(EXPORT);
    expect(opened.totalBytes).toBe(EXPORT.length);
  });

  test("finds the export in a zip with localized names and ignores the larger clinical document", async () => {
    const path = await zipOf("german.zip", {
      "apple_health_export/Exportieren_cda.xml": CDA,
      "apple_health_export/Exportieren.xml": EXPORT,
      "__MACOSX/apple_health_export/._Exportieren.xml": "x",
    });
    const opened = await openExport(path);
    expect(await contentOf(opened.bytes)).toBe(EXPORT);
    expect(opened.totalBytes).toBe(EXPORT.length);
  });

  test("counts the other files by reason", async () => {
    const path = await zipOf("full.zip", {
      "apple_health_export/export.xml": EXPORT,
      "apple_health_export/export_cda.xml": CDA,
      "apple_health_export/workout-routes/a.gpx": "",
      "apple_health_export/workout-routes/b.gpx": "",
      "apple_health_export/electrocardiograms/e.csv": "",
      "apple_health_export/readme": "",
    });
    expect(Object.fromEntries((await openExport(path)).otherFiles)).toEqual({
      gpx: 2,
      "electrocardiogram csv": 1,
      "clinical document xml": 1,
      "other file": 1,
    });
  });

  test("detects modified content inside the zip", async () => {
    const path = await zipOf("changed.zip", { "export.xml": EXPORT }, false);
    const bytes = await readFile(path);
    bytes.write("NO", bytes.indexOf("<Me/>") + 1);
    writeFileSync(path, bytes);
    const { bytes: content } = await openExport(path);
    await expect(contentOf(content)).rejects.toThrow(/^The zip is damaged/);
  });

  test("rejects files that are not an export with a one-line message", async () => {
    const whole = await readFile(await zipOf("whole.zip", { "export.xml": EXPORT }));
    writeFileSync(join(folder, "cut.zip"), whole.subarray(0, whole.length - 40));
    await zipOf("other.zip", { "export.xml": CDA, "photo.jpg": "" });
    for (const [name, message] of [
      ["missing.zip", "There is no file"],
      [".", "is not a file"],
      ["cut.zip", "The zip is damaged"],
      ["other.zip", "not an Apple Health export"],
    ] as const) {
      const error = await openExport(join(folder, name)).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(InputError);
      expect(String(error)).toContain(message);
      expect(String(error)).not.toContain("\n");
    }
  });
});
