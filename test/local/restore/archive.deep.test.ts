// @module-tag deep
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { createArchiveKeys } from "../../../lib/start/archive/archive-key.ts";
import type { ArchiveScope } from "../../../lib/start/archive/archive-manifest.ts";
import { exportDeployment } from "../../../lib/start/archive/export-deployment.ts";
import { openForRestore } from "../../../lib/start/archive/import-deployed.ts";
import { readDeployment } from "../../../lib/start/restore/deployment-data.ts";
import { serveCopy } from "./deployment-copy.ts";
import type { LostDeployment } from "./lost-deployment.ts";
import { testRestoredDeployment } from "./test-restored-deployment.ts";

const keys = await createArchiveKeys();

/** Exports a copy of a deployment. @returns the directory of the archive. */
async function exportCopy(
  { assembly, outlives }: LostDeployment,
  copied: string,
  scope: ArchiveScope,
): Promise<string> {
  const copy = await serveCopy(assembly, { directory: copied, latest: copied, keyFile: join(outlives, "kms.key") });
  const directory = mkdtempSync(join(tmpdir(), "archive-"));
  const from = readDeployment(copy.data);
  const startedMs = performance.now();
  const { recipient } = keys;
  const report = await exportDeployment({ from, deployment: "Lost", directory, recipient, scope, now: startedMs });
  console.info(`exported ${report.parts} parts in ${Math.round(performance.now() - startedMs)} ms`);
  await copy.stop();
  return directory;
}

/** Requires that no file of an archive shows any data of a user. */
function expectNothingReadable(directory: string, { users }: LostDeployment): void {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  expect(files.length).toBeGreaterThan(8);
  const all = files.map((one) => readFileSync(join(one.parentPath, one.name), "latin1")).join("");
  const shown = users.flatMap(({ user_id, canaries }) => [user_id, ...canaries]).filter((value) => all.includes(value));
  expect(shown).toEqual([]);
}

// Nothing of the lost deployment is left but two archives and the identity: not even its KMS keys.
testRestoredDeployment(async (lost) => {
  const directory = await exportCopy(lost, lost.directory, "deployment");
  const erasures = await exportCopy(lost, lost.latest, "erasures");
  for (const place of [lost.directory, lost.latest, join(lost.outlives, "kms.key")]) rmSync(place, { recursive: true });
  expectNothingReadable(directory, lost);
  const source = await openForRestore({ directory, identity: keys.identity, erasures });
  return { source, close: async () => undefined };
});
