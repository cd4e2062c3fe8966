import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { directoryTable, eventTable, sampleTable, summaryTable } from "../../../lib/contract/resources.ts";
import { type ExportJob, exportKey } from "../../../lib/domain/exports/export-job.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { ports } from "../../../lib/runtime/ports.ts";
import { exportUser } from "../../../lib/services/exports/export-user.ts";
import { ExportJobStore } from "../../../lib/store/exports/export-jobs.ts";
import { SummaryStore } from "../../../lib/store/summaries/summaries.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { ChunkStore } from "../../../lib/store/timeseries/chunks.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createUserCiphers } from "../../support/user-ciphers.ts";

const NOW = "2026-05-01T00:00:00.000Z";
const scope = TeamScope.grant("team");
const user = newUser({ client_user_id: "c" }, { userId: "user", teamId: "team" }, NOW);

/** A bucket that runs a hook while a file is uploaded. */
class WatchedBucket {
  readonly files = new Map<string, Buffer>();
  meanwhile: () => Promise<void> = async () => undefined;

  async putFile(key: string, path: string): Promise<void> {
    this.files.set(key, await readFile(path));
    await this.meanwhile();
  }

  async delete(key: string): Promise<void> {
    this.files.delete(key);
  }
}

/** The directory of temporary files. */
const spool = mkdtempSync(join(tmpdir(), "spool-"));

let dynamodb: TestDynamodb;
let deps: Parameters<typeof exportUser>[0] & { userExports: WatchedBucket };
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
  deps = {
    users: new UserStore(table(directoryTable.name)),
    chunks: new ChunkStore(table(sampleTable.name), createUserCiphers()),
    summaries: new SummaryStore(table(summaryTable.name), createUserCiphers()),
    exportJobs: new ExportJobStore(table(eventTable.name)),
    userExports: new WatchedBucket(),
    commit: (items: readonly WriteItem[]) => commit(dynamodb.documents, items),
  };
  await deps.commit([deps.users.createItem(scope, user)]);
  job = await claimed();
});

async function claimed(): Promise<ExportJob> {
  await deps.exportJobs.getOrCreate(scope, "user", "export", ports().clock.now());
  const taken = await deps.exportJobs.claim(scope, "user", "export", ports().clock.now());
  if (!taken) throw new Error("not claimed");
  return taken;
}

const status = async () => (await deps.exportJobs.get(scope, "user", "export", ports().clock.now()))?.status;
const remove = () =>
  deps.commit([
    deps.users.requestErasureItem(scope, { ...user, deletion_id: "d", deletion_requested_at: NOW, erase_at: NOW }),
  ]);

test("a run stores the file, completes the export and leaves nothing on the disk", async () => {
  await exportUser(deps, scope, job);
  expect([...deps.userExports.files.keys()]).toEqual([exportKey(job)]);
  expect(await status()).toBe("done");
  expect(readdirSync(spool)).toEqual([]);
});

test("a second run of the same export writes the same bytes", async () => {
  await exportUser(deps, scope, job);
  const first = deps.userExports.files.get(exportKey(job));
  await exportUser(deps, scope, job);
  expect(deps.userExports.files.get(exportKey(job))?.equals(first ?? Buffer.alloc(0))).toBe(true);
  expect(await status()).toBe("done");
});

test("a deletion of the user during the upload leaves no file", async () => {
  deps.userExports.meanwhile = remove;
  await exportUser(deps, scope, job);
  expect([...deps.userExports.files]).toEqual([]);
  expect(await status()).toBe("failed");
});

test("an erasure of the user during the upload leaves neither file nor record", async () => {
  deps.userExports.meanwhile = async () => {
    await remove();
    await deps.commit([deps.users.startErasureItem(scope, "user", "d", NOW)]);
    await deps.exportJobs.eraseUser(scope, "user");
    await deps.commit([deps.users.deleteErasedItem(scope, "user")]);
  };
  await exportUser(deps, scope, job);
  expect([...deps.userExports.files]).toEqual([]);
  expect(await status()).toBeUndefined();
});

test("a run that lost its lease leaves file and record to the other run", async () => {
  const late = 60 * 60_000;
  deps.userExports.meanwhile = async () => {
    deps.userExports.meanwhile = async () => undefined;
    await deps.exportJobs.claim(scope, "user", "export", ports().clock.now() + late);
  };
  await exportUser(deps, scope, job);
  expect([...deps.userExports.files.keys()]).toEqual([exportKey(job)]);
  expect(await status()).toBe("running");
});

test("a failing bucket fails the run and leaves nothing on the disk", async () => {
  deps.userExports.meanwhile = () => Promise.reject(new Error("no bucket"));
  await expect(exportUser(deps, scope, job)).rejects.toThrow("no bucket");
  expect(readdirSync(spool)).toEqual([]);
});
