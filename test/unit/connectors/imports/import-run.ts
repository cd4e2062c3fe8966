import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { ImportOptions } from "../../../../lib/connectors/imports/format.ts";
import { importFile } from "../../../../lib/connectors/imports/import-file.ts";
import { IngestClient } from "../../../../lib/connectors/imports/sending/ingest-client.ts";
import { API_KEY, FakeService, USER_ID } from "./fake-service.ts";
import { writeZip } from "./write-zip.ts";

export const silent = {
  recognised: () => undefined,
  reading: () => undefined,
  read: () => undefined,
  storing: () => undefined,
};

type Files = Readonly<Record<string, string | Uint8Array>>;

/** Imports a zip of files, or the one file of the list, twice. */
export async function importTwice(files: Files, isZip = true, options: ImportOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), "import-test-"));
  const service = new FakeService();
  const target = { baseUrl: await service.listen(), apiKey: API_KEY, userId: USER_ID };
  try {
    const path = isZip ? await writeZip(join(folder, "export.zip"), files) : writeOne(folder, files);
    const first = await importFile(path, new IngestClient(target, 1), silent, options);
    const bodies = [...service.bodies];
    const second = await importFile(path, new IngestClient(target, 1), silent, options);
    return { first, second, bodies, records: recordsOf(bodies) };
  } finally {
    service.server.close();
    rmSync(folder, { recursive: true });
  }
}

function writeOne(folder: string, files: Files): string {
  const [[name, content] = ["", ""]] = Object.entries(files);
  const path = join(folder, basename(name));
  writeFileSync(path, content);
  return path;
}

/** A sent record. */
type SentRecord = Readonly<Record<string, unknown>>;

/** The sent records by resource, in their order. */
function recordsOf(bodies: FakeService["bodies"]): Record<string, SentRecord[]> {
  const records: Record<string, SentRecord[]> = {};
  for (const [name, list] of bodies.flatMap(({ resources }) => Object.entries(resources)))
    records[name] = [...(records[name] ?? []), ...(list as SentRecord[])];
  return records;
}
