import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { directoryTable, eventTable } from "../../../lib/contract/resources.ts";
import { EXPORT_RETENTION_MS, type ExportJob, MAX_EXPORT_RUN_S } from "../../../lib/domain/exports/export-job.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { ConditionFailed } from "../../../lib/store/condition-failed.ts";
import { ExportJobStore } from "../../../lib/store/exports/export-jobs.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { commit, type WriteItem } from "../../../lib/store/transaction.ts";
import { UserStore } from "../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";

const NOW = Date.UTC(2026, 4, 1);
const LEASE_OVER = NOW + MAX_EXPORT_RUN_S * 1000 + 60_000;
const scope = TeamScope.grant("team");

let dynamodb: TestDynamodb;
let jobs: ExportJobStore;
beforeAll(async () => {
  dynamodb = await startDynamodb();
  jobs = new ExportJobStore(new Table(dynamodb.documents, eventTable.name));
});
beforeEach(() => dynamodb.clear());
afterAll(() => dynamodb.stop());

const write = (items: readonly WriteItem[]) => commit(dynamodb.documents, items);
const get = (exportId: string, nowMs = NOW) => jobs.get(scope, "user", exportId, nowMs);
const claim = (nowMs: number) => jobs.claim(scope, "user", "first", nowMs);

/** An export that a run has claimed. */
async function running(nowMs = NOW): Promise<ExportJob> {
  await jobs.getOrCreate(scope, "user", "first", NOW);
  const job = await claim(nowMs);
  if (!job) throw new Error("not claimed");
  return job;
}

describe("opening an export", () => {
  test("creates one export for concurrent requests, which all get it", async () => {
    const ids = Array.from({ length: 10 }, (_, index) => `export-${index}`);
    const opened = await Promise.all(ids.map((id) => jobs.getOrCreate(scope, "user", id, NOW)));
    const [first] = opened;
    expect(new Set(opened.map(({ export_id }) => export_id)).size).toBe(1);
    const kept = await Promise.all(ids.map((id) => get(id)));
    expect(kept.filter((job) => job !== undefined)).toMatchObject([{ export_id: first?.export_id, status: "pending" }]);
  });

  test("returns the running export, and a new one after its end", async () => {
    const job = await running();
    expect(await jobs.getOrCreate(scope, "user", "second", NOW)).toMatchObject({
      export_id: "first",
      status: "running",
    });
    await write(jobs.completeItems(scope, job, "done", NOW));
    expect(await jobs.getOrCreate(scope, "user", "third", NOW)).toMatchObject({
      export_id: "third",
      status: "pending",
    });
    expect(await get("first")).toMatchObject({ status: "done" });
  });

  test("ignores other users, other teams and expired exports", async () => {
    await running();
    expect(await jobs.getOrCreate(scope, "other", "a", NOW)).toMatchObject({ export_id: "a" });
    expect(await jobs.getOrCreate(TeamScope.grant("others"), "user", "b", NOW)).toMatchObject({ export_id: "b" });
    expect(await jobs.getOrCreate(scope, "user", "c", NOW + EXPORT_RETENTION_MS)).toMatchObject({ export_id: "c" });
  });
});

describe("a run", () => {
  test("holds its export exclusively until its lease ends", async () => {
    const job = await running();
    expect(job).toMatchObject({ status: "running", attempts: 1 });
    expect(await claim(LEASE_OVER - 1)).toBeUndefined();
    expect(await claim(LEASE_OVER)).toMatchObject({ attempts: 2 });
  });

  test("can not end the export after another run took over", async () => {
    const late = await running();
    const current = await claim(LEASE_OVER);
    await expect(write(jobs.completeItems(scope, late, "done", LEASE_OVER))).rejects.toThrow(ConditionFailed);
    expect(await get("first", LEASE_OVER)).toMatchObject({ status: "running", attempts: 2 });
    await write(jobs.completeItems(scope, current ?? late, "done", LEASE_OVER));
    expect(await get("first", LEASE_OVER)).toMatchObject({ status: "done" });
  });

  test("claims no ended or erased export", async () => {
    await write(jobs.completeItems(scope, await running(), "failed", NOW));
    expect(await claim(LEASE_OVER)).toBeUndefined();
    await jobs.eraseUser(scope, "user");
    expect(await claim(LEASE_OVER)).toBeUndefined();
    expect(await get("first")).toBeUndefined();
  });

  test("completes its export only while the user is active", async () => {
    const job = await running();
    const users = new UserStore(new Table(dynamodb.documents, directoryTable.name));
    const ending = () =>
      write([users.requireActiveItem(scope, "user"), ...jobs.completeItems(scope, job, "done", NOW)]);
    await expect(ending()).rejects.toMatchObject({ items: new Map([[0, {}]]) });
    expect(await get("first")).toMatchObject({ status: "running" });
    const user = newUser({ client_user_id: "c" }, { userId: "user", teamId: "team" }, new Date(NOW).toISOString());
    await write([users.createItem(scope, user)]);
    await ending();
    expect(await get("first")).toMatchObject({ status: "done" });
  });
});

test("an export expires with its file, counted from its end", async () => {
  const job = await running();
  const endMs = NOW + 600_000;
  await write(jobs.completeItems(scope, job, "done", endMs));
  expect(await get("first", endMs + EXPORT_RETENTION_MS - 1_000)).toBeDefined();
  expect(await get("first", endMs + EXPORT_RETENTION_MS)).toBeUndefined();
});

test("an erasure deletes all exports of a user and does not block a new one", async () => {
  await running();
  expect(await jobs.eraseUser(scope, "user")).toBe(2);
  expect(await jobs.getOrCreate(scope, "user", "second", NOW)).toMatchObject({ export_id: "second" });
});
