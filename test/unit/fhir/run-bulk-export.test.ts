import { gunzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  auditTable,
  directoryTable,
  eventTable,
  labTable,
  sampleTable,
  summaryTable,
} from "../../../lib/contract/resources.ts";
import {
  type BulkExport,
  type BulkExportMessage,
  exportPartKey,
  MAX_EXPORT_MS,
  MAX_STEP_S,
} from "../../../lib/domain/fhir/bulk/bulk-export.ts";
import { getResource } from "../../../lib/domain/timeseries/resources.ts";
import { newUser } from "../../../lib/domain/users/user.ts";
import { setPorts } from "../../../lib/runtime/ports.ts";
import { runBulkExport } from "../../../lib/services/fhir/bulk/run-bulk-export.ts";
import { AccessLogStore } from "../../../lib/store/audit/access-log.ts";
import { BulkExportStore } from "../../../lib/store/fhir/bulk-exports.ts";
import { TeamStore } from "../../../lib/store/management/teams.ts";
import { OrderStore } from "../../../lib/store/orders/orders.ts";
import { ResultStore } from "../../../lib/store/results/results.ts";
import { SummaryStore } from "../../../lib/store/summaries/summaries.ts";
import { Table } from "../../../lib/store/table.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";
import { ChunkStore } from "../../../lib/store/timeseries/chunks.ts";
import { commit } from "../../../lib/store/transaction.ts";
import { UserInfoStore } from "../../../lib/store/users/user-infos.ts";
import { UserStore } from "../../../lib/store/users/users.ts";
import { startDynamodb, type TestDynamodb } from "../../support/dynamodb.ts";
import { createUserCiphers } from "../../support/user-ciphers.ts";

const START = Date.parse("2026-05-01T00:00:00Z");
const TEAM = "7ea70000-0000-4000-8000-000000000001";
const scope = TeamScope.grant(TEAM);
const userIds = Array.from({ length: 5 }, (_, index) => `0000000${index}-0000-4000-8000-000000000000`);
const SAMPLES = 7;
const bounds = { resources: 5, bytes: 1_000_000, users: 2 };

/** A bucket in memory that can fail. */
class Objects {
  readonly stored = new Map<string, Buffer>();
  failures = 0;

  async put(key: string, content: Uint8Array): Promise<void> {
    if (this.failures-- > 0) throw new Error("no bucket");
    this.stored.set(key, Buffer.from(content));
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(key);
  }
}

/** A queue in memory. */
class Messages {
  readonly waiting: { message: BulkExportMessage; delayS: number }[] = [];

  async send(message: unknown, { delayS = 0 } = {}): Promise<void> {
    this.waiting.push({ message: message as BulkExportMessage, delayS });
  }
}

let dynamodb: TestDynamodb;
let nowMs: number;
let deps: Parameters<typeof runBulkExport>[0] & { userExports: Objects; exportRuns: Messages };
let job: BulkExport;
beforeAll(async () => {
  dynamodb = await startDynamodb();
});
afterAll(() => dynamodb.stop());
afterEach(() => setPorts(undefined));
beforeEach(async () => {
  nowMs = START;
  setPorts({ clock: { now: () => nowMs } });
  await dynamodb.clear();
  const table = ({ name }: { name: string }) => new Table(dynamodb.documents, name);
  const messages = new Messages();
  const stores = {
    users: new UserStore(table(directoryTable)),
    userInfos: new UserInfoStore(table(directoryTable)),
    teams: new TeamStore(table(directoryTable)),
    chunks: new ChunkStore(table(sampleTable), createUserCiphers()),
    summaries: new SummaryStore(table(summaryTable), createUserCiphers()),
    orders: new OrderStore(table(labTable)),
    results: new ResultStore(table(labTable)),
    bulkExports: new BulkExportStore(table(eventTable)),
    accessLog: new AccessLogStore(table(auditTable)),
  };
  deps = { ...stores, userExports: new Objects(), exportRuns: messages as Messages & typeof deps.exportRuns };
  await createData();
  job = await createExport();
});

async function createData(): Promise<void> {
  const created_on = new Date(START).toISOString();
  const team = { team_id: TEAM, org_id: "org", name: "t", region: "us" as const, created_on, features: [] };
  await commit(dynamodb.documents, deps.teams.createItems(team));
  for (const user_id of userIds) {
    const user = newUser({ client_user_id: user_id }, { userId: user_id, teamId: TEAM }, created_on);
    await commit(dynamodb.documents, [deps.users.createItem(scope, user)]);
    const stream = {
      ...{ userId: user_id, resource: getResource("heartrate"), provider: "oura", sourceType: "ring" },
      recorder: { deviceId: "d", appId: null },
    } as const;
    const samples = Array.from({ length: SAMPLES }, (_, index) => ({
      ...{ start: START + index * 1_000, value: 60 + index, offsetS: null, type: null },
    }));
    const receipt = { receivedAt: START, batchId: `b ${user_id}` };
    await deps.chunks.merge(scope, stream, samples, receipt, { expectNew: true, hasNoOlderPending: async () => false });
  }
}

async function createExport(): Promise<BulkExport> {
  const created = await deps.bulkExports.create(scope, {
    ...{ export_id: "e0000000-0000-4000-8000-000000000000", team_id: TEAM, status: "running", request: "r" },
    ...{ types: ["Patient", "Observation"], has_results: true, created_at: new Date(nowMs).toISOString() },
    ...{ attempts: 0, tries: 0, users: 0, resources: 0, files: 0 },
  });
  if (!created) throw new Error("no place");
  return created;
}

const run = () => runBulkExport(deps, scope, { team_id: TEAM, export_id: job.export_id }, bounds);
const current = async () => deps.bulkExports.get(scope, job.export_id, nowMs);

/** Runs steps until the queue is empty. @returns their number. */
async function runAll(): Promise<number> {
  let steps = 1;
  for (await run(); deps.exportRuns.waiting.length > 0; steps++) {
    deps.exportRuns.waiting.shift();
    await run();
    if (steps > 100) throw new Error("does not end");
  }
  return steps;
}

/** Ids of the resources of the listed files, and whether each file has one type and as many lines as it says. */
async function exportedIds(): Promise<string[]> {
  const ids: string[] = [];
  for await (const { type, count, parts } of deps.bulkExports.listFiles(scope, job.export_id)) {
    const texts = parts.map((part) => gunzipSync(deps.userExports.stored.get(exportPartKey(job, part)) ?? Buffer.of()));
    const lines = texts.flatMap((text) => text.toString().trimEnd().split("\n")).map((line) => JSON.parse(line));
    expect(lines.map(({ resourceType }) => resourceType)).toEqual(Array(count).fill(type));
    ids.push(...lines.map(({ resourceType, id }) => `${resourceType}/${id}`));
  }
  return ids;
}

const EXPECTED = userIds.length * (1 + SAMPLES);

/** Checks that the export has ended with every resource once. */
async function expectComplete(): Promise<void> {
  const ids = await exportedIds();
  expect([ids.length, new Set(ids).size]).toEqual([EXPECTED, EXPECTED]);
  expect(await current()).toMatchObject({ status: "done", users: userIds.length, resources: EXPECTED });
}

test("an export ends in bounded steps, each of which continues within a user", async () => {
  expect(await runAll()).toBeGreaterThan(EXPECTED / bounds.resources - 1);
  await expectComplete();
});

test("a step that fails runs again from its begin, and no resource comes twice", { tags: "deep" }, async () => {
  await run();
  deps.userExports.failures = 1;
  await expect(run()).rejects.toThrow("no bucket");
  await runAll();
  await expectComplete();
});

test("an export fails for good after three failures of one step, and frees its place", async () => {
  deps.userExports.failures = 3;
  for (const _ of [1, 2, 3]) await expect(run()).rejects.toThrow();
  expect(await current()).toMatchObject({ status: "failed" });
  expect(deps.exportRuns.waiting.splice(0)).toMatchObject([{ delayS: 60 }, { delayS: 120 }]);
  await run();
  expect(deps.exportRuns.waiting).toEqual([]);
  const another = { ...job, export_id: "e1" };
  expect(await deps.bulkExports.create(scope, another)).toMatchObject({ place: 0 });
});

test("messages that arrive twice at the same time run each step once", { tags: "deep" }, async () => {
  let runs = 0;
  for (let waiting = 1; waiting > 0; runs++) {
    await Promise.all([run(), run()]);
    waiting = deps.exportRuns.waiting.splice(0).length;
    if (runs > 100) throw new Error("does not end");
  }
  await expectComplete();
});

test("a message that meets a lease comes back after it, and takes over a step that stopped", {
  tags: "deep",
}, async () => {
  expect(await deps.bulkExports.claim(scope, job.export_id, nowMs)).toBeDefined();
  await run();
  const [{ delayS = 0 } = {}] = deps.exportRuns.waiting.splice(0);
  expect(delayS).toBeGreaterThanOrEqual(MAX_STEP_S);
  nowMs += delayS * 1_000;
  await runAll();
  await expectComplete();
});

test("the late end of a step that was taken over changes nothing", { tags: "deep" }, async () => {
  const late = await deps.bulkExports.claim(scope, job.export_id, nowMs);
  nowMs += 2 * MAX_STEP_S * 1_000;
  await runAll();
  if (!late) throw new Error("not claimed");
  expect(await deps.bulkExports.endStep(scope, late, { users: 99 }, [])).toBe(false);
  await expectComplete();
});

test("a cancelled export keeps no files, whether it runs or has ended", async () => {
  await run();
  expect(deps.userExports.stored.size).toBeGreaterThan(0);
  expect(await deps.bulkExports.cancel(scope, job)).toBe(true);
  expect(await deps.bulkExports.cancel(scope, job)).toBe(false);
  await run();
  expect([...deps.userExports.stored.keys()]).toEqual([]);
  expect(await exportedIds()).toEqual([]);
});

test("a user that is deleted while the export runs is left out from then on", { tags: "deep" }, async () => {
  const [, , , , last = ""] = userIds;
  await run();
  const user = await deps.users.get(scope, last);
  if (!user) throw new Error("no user");
  const now = new Date(nowMs).toISOString();
  const pending = { ...user, deletion_id: "d", deletion_requested_at: now, erase_at: now };
  await commit(dynamodb.documents, [deps.users.requestErasureItem(scope, pending)]);
  await runAll();
  expect((await exportedIds()).filter((id) => id.includes(last))).toEqual([]);
  expect([...deps.userExports.stored.keys()].filter((key) => key.includes(last))).toEqual([]);
  expect(await current()).toMatchObject({ status: "done" });
});

test("an export stops when its time is over", async () => {
  await run();
  deps.exportRuns.waiting.splice(0);
  nowMs += MAX_EXPORT_MS;
  await run();
  expect(deps.exportRuns.waiting).toEqual([]);
  expect(await current()).toMatchObject({ status: "running" });
});
