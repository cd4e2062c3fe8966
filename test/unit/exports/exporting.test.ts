import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { directory, eventTable, samples, summaryTable } from "../../../lib/contract/resources.ts";
import { type ExportJob, exportKey } from "../../../lib/domain/exports/export-job.ts";
import { newUser } from "../../../lib/domain/user.ts";
import { exportUser } from "../../../lib/runtime/exporting.ts";
import { ports } from "../../../lib/runtime/ports.ts";
import { ChunkStore } from "../../../lib/store/chunks.ts";
import { ExportJobStore } from "../../../lib/store/export-jobs.ts";
import { SummaryStore } from "../../../lib/store/summaries.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { seals } from "../../support/user-seals.ts";

const NOW = "2026-05-01T00:00:00.000Z";
const scope = TeamScope.grant("team");
const user = newUser({ client_user_id: "c" }, { userId: "user", teamId: "team" }, NOW);

/** A bucket that runs a hook while a file is uploaded. */
class WatchedBucket {
  readonly files = new Map<string, Buffer>();
  meanwhile: () => Promise<void> = async () => undefined;

  async keepFile(key: string, path: string): Promise<void> {
    this.files.set(key, await readFile(path));
    await this.meanwhile();
  }

  async drop(key: string): Promise<void> {
    this.files.delete(key);
  }
}

/** The directory of temporary files. */
const spool = mkdtempSync(join(tmpdir(), "spool-"));

let dynamodb: TestDynamodb;
let uses: Parameters<typeof exportUser>[0] & { userExports: WatchedBucket };
let job: ExportJob;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  process.env.TMPDIR = spool;
});
afterAll(async () => {
  await dynamodb.stop();
  rmSync(spool, { recursive: true });
});
beforeEach(async () => {
  await dynamodb.clear();
  const table = (name: string) => new Table(dynamodb.documents, name);
  uses = {
    users: new UserStore(table(directory.name)),
    chunks: new ChunkStore(table(samples.name), seals()),
    summaries: new SummaryStore(table(summaryTable.name), seals()),
    exportJobs: new ExportJobStore(table(eventTable.name)),
    userExports: new WatchedBucket(),
    commit: (items: readonly WriteItem[]) => commit(dynamodb.documents, items),
  };
  await uses.commit([uses.users.createItem(scope, user)]);
  job = await claimed();
});

async function claimed(): Promise<ExportJob> {
  await uses.exportJobs.open(scope, "user", "export", ports().clock.now());
  const taken = await uses.exportJobs.claim(scope, "user", "export", ports().clock.now());
  if (!taken) throw new Error("not claimed");
  return taken;
}

const status = async () => (await uses.exportJobs.get(scope, "user", "export", ports().clock.now()))?.status;
const remove = () =>
  uses.commit([uses.users.pendItem(scope, { ...user, deletion_id: "d", deletion_requested_at: NOW, erase_at: NOW })]);

test("a run stores the file, completes the export and leaves nothing on the disk", async () => {
  await exportUser(uses, scope, job);
  expect([...uses.userExports.files.keys()]).toEqual([exportKey(job)]);
  expect(await status()).toBe("done");
  expect(readdirSync(spool)).toEqual([]);
});

test("a second run of the same export writes the same bytes", async () => {
  await exportUser(uses, scope, job);
  const first = uses.userExports.files.get(exportKey(job));
  await exportUser(uses, scope, job);
  expect(uses.userExports.files.get(exportKey(job))?.equals(first ?? Buffer.alloc(0))).toBe(true);
  expect(await status()).toBe("done");
});

test("a deletion of the user during the upload leaves no file", async () => {
  uses.userExports.meanwhile = remove;
  await exportUser(uses, scope, job);
  expect([...uses.userExports.files]).toEqual([]);
  expect(await status()).toBe("failed");
});

test("an erasure of the user during the upload leaves neither file nor record", async () => {
  uses.userExports.meanwhile = async () => {
    await remove();
    await uses.commit([uses.users.beginErasureItem(scope, "user", "d", NOW)]);
    await uses.exportJobs.eraseUser(scope, "user");
    await uses.commit([uses.users.removeErasedItem(scope, "user")]);
  };
  await exportUser(uses, scope, job);
  expect([...uses.userExports.files]).toEqual([]);
  expect(await status()).toBeUndefined();
});

test("a run that lost its lease leaves file and record to the other run", async () => {
  const late = 60 * 60_000;
  uses.userExports.meanwhile = async () => {
    uses.userExports.meanwhile = async () => undefined;
    await uses.exportJobs.claim(scope, "user", "export", ports().clock.now() + late);
  };
  await exportUser(uses, scope, job);
  expect([...uses.userExports.files.keys()]).toEqual([exportKey(job)]);
  expect(await status()).toBe("running");
});

test("a failing bucket fails the run and leaves nothing on the disk", async () => {
  uses.userExports.meanwhile = () => Promise.reject(new Error("no bucket"));
  await expect(exportUser(uses, scope, job)).rejects.toThrow("no bucket");
  expect(readdirSync(spool)).toEqual([]);
});
