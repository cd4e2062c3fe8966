import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { unzip } from "../../../support/unzip.ts";
import { createHeartRates, ingestBatch, readGroupedPage } from "../ingest/ingest-batch.ts";
import { findFunctionName, findItemsContaining } from "../support/stored-items.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LEASE_MS = 16 * 60 * 1000;
const unknownId = "5b1d6f0e-0000-4000-8000-000000000000";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const start = (userId: string, options = {}) => service.call("POST", `/v2/user/${userId}/export`, options);
const get = (userId: string, exportId: string, options = {}) =>
  service.call("GET", `/v2/user/${userId}/export/${exportId}`, options);

/** Makes every call of a function to an AWS service fail. */
const fail = (awsService: "s3" | "sqs", operationId: string) =>
  service.cloud.faults.add({
    service: awsService,
    function: findFunctionName(service, operationId),
    mode: "fail_before",
  });

/** Lists the objects in the export bucket. */
async function objects(): Promise<string[]> {
  const bucket = process.env.BUCKET_USER_EXPORTS ?? "";
  const { origin, authorization } = service.cloud.s3;
  const listed = await (await fetch(`${origin}/${bucket}?list-type=2`, { headers: { authorization } })).text();
  return [...listed.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = ""]) => key);
}

/** Creates a user with samples and summaries of two sources. */
async function fullUser(name: string): Promise<string> {
  const userId = await service.createUser(name);
  const at = "2026-05-01T08:00:00Z";
  await ingestBatch(service, userId, {
    heartrate: createHeartRates("2026-05-01T08:00:00+02:00", 2_000),
    steps: [{ start: at, end: "2026-05-01T08:01:00Z", value: 90 }],
    note: [{ timestamp: at, value: "Zwölf Äpfel 🍎", tags: ["food"] }],
    blood_pressure: [{ timestamp: at, systolic: 121, diastolic: 79.5 }],
    cholesterol: [
      { timestamp: at, type: "ldl", value: 2.5 },
      { timestamp: at, type: "hdl", value: 1.25 },
    ],
    activity: [
      { calendar_date: "2026-04-30", steps: 7_000 },
      { calendar_date: "2026-05-01", steps: 9_000 },
    ],
  });
  await ingestBatch(
    service,
    userId,
    { heartrate: createHeartRates("2026-05-01T06:00:00Z", 3) },
    { provider: "oura", source_type: "ring", device: { id: "ring-1" }, app: { id: "com.example" } },
  );
  return userId;
}

/** Starts and runs an export, and downloads it by its URL without a credential. */
async function exported(userId: string): Promise<Map<string, Buffer>> {
  const { body } = await start(userId);
  await service.settle();
  const done = await get(userId, body.id);
  expect(done.body.status).toBe("done");
  const response = await fetch(done.body.download_url);
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/zip"]);
  return unzip(new Uint8Array(await response.arrayBuffer()));
}

/** A sample with instants in the format of the API. */
interface Row {
  readonly start: string;
  readonly provider: string;
  readonly [column: string]: unknown;
}

/** Reads the rows of one table of an export. */
async function rowsOf(files: ReadonlyMap<string, Buffer>, name: string): Promise<Row[]> {
  const bytes = files.get(name) ?? Buffer.alloc(0);
  const file = new Uint8Array(bytes).buffer;
  const wire = (instant: Date) => instant.toISOString().replace(/(\.000)?Z$/, "+00:00");
  const rows = await parquetReadObjects({ file });
  return rows.map(({ start, end, provider, ...row }) => ({ ...row, start: wire(start), end: wire(end), provider }));
}

/** Returns the result of a grouped read as exported rows. */
async function readRows(userId: string, resource: string): Promise<Row[]> {
  const { body } = await readGroupedPage(service, userId, resource, { start_date: "2026-01-01" });
  const groups: { source: Record<string, string>; data: Row[] }[][] = Object.values(body.groups);
  return groups.flat().flatMap(({ source: { provider = "", type: source_type, device_id, app_id }, data }) => {
    const source = { provider, source_type, device_id, app_id };
    return data.map(({ id: _, timestamp: __, ...sample }) => ({ ...sample, ...source }) as Row);
  });
}

const byTime = (a: Row, b: Row) => a.start.localeCompare(b.start) || a.provider.localeCompare(b.provider);

test("an export is started, runs, and is downloaded by its URL alone", { tags: "deep" }, async () => {
  const userId = await fullUser("whole");
  const started = await start(userId);
  expect(started).toMatchObject({ status: 202, body: { status: "pending", download_url: null, expires_at: null } });
  await service.settle();
  const { body } = await get(userId, started.body.id);
  expect(body).toMatchObject({
    ...started.body,
    status: "done",
    download_url: expect.stringMatching(/^http:/),
    expires_at: expect.any(String),
  });
  const files = await unzip(new Uint8Array(await (await fetch(body.download_url)).arrayBuffer()));
  const names = ["heartrate", "steps", "note", "blood_pressure", "cholesterol"].map((name) => `${name}.parquet`);
  expect([...files.keys()].sort()).toEqual(
    ["README.txt", "activity.json", "manifest.json", "user.json", ...names].sort(),
  );
  const manifest = JSON.parse(String(files.get("manifest.json")));
  expect(manifest).toMatchObject({ export_id: body.id, user_id: userId, created_at: body.created_at });
  expect(manifest.files).toContainEqual(expect.objectContaining({ name: "heartrate.parquet", records: 2_003 }));
  expect(JSON.parse(String(files.get("user.json")))).toEqual((await service.call("GET", `/v2/user/${userId}`)).body);
  expect(String(files.get("README.txt"))).toContain("Value in bpm");
});

test("an export equals the reads, sample by sample and summary by summary", { tags: "deep" }, async () => {
  const userId = await fullUser("compared");
  const files = await exported(userId);
  for (const resource of ["heartrate", "steps", "note", "blood_pressure"]) {
    const rows = (await rowsOf(files, `${resource}.parquet`)).map(({ subtype: _, ...row }) => row);
    const read = await readRows(userId, resource);
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.sort(byTime)).toEqual(read.sort(byTime));
  }
  const cholesterol = (await rowsOf(files, "cholesterol.parquet")).map(({ subtype, ...row }) => ({
    ...row,
    type: subtype,
  }));
  expect(cholesterol).toEqual(await readRows(userId, "cholesterol"));
  const { body } = await service.call("GET", `/v2/summary/activity/${userId}?start_date=2026-01-01`);
  expect(JSON.parse(String(files.get("activity.json")))).toEqual(body.activity);
});

test("a user without data gets an export too", async () => {
  const files = await exported(await service.createUser("empty"));
  expect([...files.keys()]).toEqual(["user.json", "README.txt", "manifest.json"]);
});

test("a download URL expires after a minute, or earlier with the key that requested it, and a new read of the export returns a new URL", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("late");
  const { body } = await start(userId);
  await service.settle();
  const { download_url, expires_at } = (await get(userId, body.id)).body;
  expect(Date.parse(expires_at) - service.cloud.clock.now()).toBeLessThanOrEqual(60_000);
  await service.advance(61_000);
  expect((await fetch(download_url)).status).toBe(403);
  const again = (await get(userId, body.id)).body;
  expect((await fetch(again.download_url)).status).toBe(200);
});

test("an export is deleted after two days", { tags: "deep" }, async () => {
  const userId = await service.createUser("old");
  const { body } = await start(userId);
  await service.settle();
  await service.advance(2 * DAY_MS + 1_000);
  expect(await get(userId, body.id)).toMatchObject({ status: 404, body: { code: "not_found" } });
});

test("a request while an export runs returns that export, and a later request starts a new one", async () => {
  const userId = await service.createUser("impatient");
  const both = await Promise.all([start(userId), start(userId)]);
  expect(both.map(({ status }) => status)).toEqual([202, 202]);
  expect(both[0]?.body.id).toBe(both[1]?.body.id);
  await service.settle();
  const next = await start(userId);
  expect(next.body.id).not.toBe(both[0]?.body.id);
  expect((await get(userId, both[0]?.body.id)).body.status).toBe("done");
  await service.settle();
});

test("another team, another user and an unknown id get no export", async () => {
  const userId = await service.createUser("owner");
  const { body } = await start(userId);
  await service.settle();
  const { key } = await service.createTeam("Curious");
  const other = await service.createUser("other");
  const answers = [
    await start(userId, { key }),
    await get(userId, body.id, { key }),
    await start(unknownId),
    await get(unknownId, body.id),
    await get(other, body.id),
    await get(userId, unknownId),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await get(userId, "not-an-id")).status).toBe(422);
  expect((await start(userId, { key: null })).status).toBe(401);
});

test("an export whose message was lost runs when it is requested again", async () => {
  const userId = await service.createUser("lost message");
  fail("sqs", "startExport");
  expect((await start(userId)).status).toBe(503);
  service.cloud.faults.clear();
  const { body } = await start(userId);
  await service.settle();
  expect((await get(userId, body.id)).body.status).toBe("done");
});

test("an export is stored despite a first failure of the bucket", async () => {
  const about = { service: "s3", function: findFunctionName(service, "runExport"), mode: "fail_before" } as const;
  service.cloud.faults.add({ ...about, at_call: 1, every_attempt: true });
  const files = await exported(await service.createUser("second try"));
  service.cloud.faults.clear();
  expect(files.has("manifest.json")).toBe(true);
});

test("an export that cannot be stored fails, and another one can be started", async () => {
  const userId = await service.createUser("no bucket");
  fail("s3", "runExport");
  const { body } = await start(userId);
  await service.settle();
  expect((await get(userId, body.id)).body).toMatchObject({ status: "failed", download_url: null });
  const queues: { name: string; visible: number }[] = (await service.call("GET", "/_local/resources")).body
    .dead_letters;
  expect(queues.find(({ name }) => name.includes("exportRuns"))?.visible).toBe(1);
  service.cloud.faults.clear();
  expect((await exported(userId)).has("manifest.json")).toBe(true);
});

/** Starts an export whose run crashes after its start: it can neither read the user nor record its failure. */
async function startDying(userId: string): Promise<string> {
  for (const at_call of [2, 3]) {
    const about = {
      service: "dynamodb",
      function: findFunctionName(service, "runExport"),
      mode: "fail_before",
    } as const;
    service.cloud.faults.add({ ...about, at_call, every_attempt: true });
  }
  const { body } = await start(userId);
  await service.settle();
  service.cloud.faults.clear();
  return body.id;
}

test("a repeated request takes over a crashed run after its lease expires", async () => {
  const userId = await service.createUser("died");
  const exportId = await startDying(userId);
  expect((await start(userId)).body).toMatchObject({ id: exportId, status: "running" });
  await service.settle();
  expect((await get(userId, exportId)).body.status).toBe("running");
  await service.advance(LEASE_MS);
  expect((await start(userId)).body.id).toBe(exportId);
  await service.settle();
  expect((await get(userId, exportId)).body.status).toBe("done");
});

test("a redelivered message takes over a crashed run", { tags: "deep" }, async () => {
  const userId = await service.createUser("came back");
  const exportId = await startDying(userId);
  await service.advance(6 * 900_000 + 1_000);
  expect((await get(userId, exportId)).body.status).toBe("done");
});

test("an export whose runs all crash fails", { tags: "deep" }, async () => {
  const userId = await service.createUser("dies each time");
  const exportId = await startDying(userId);
  for (const _ of ["second", "third"]) {
    await service.advance(LEASE_MS);
    expect(await startDying(userId)).toBe(exportId);
    expect((await get(userId, exportId)).body.status).toBe("running");
  }
  await service.advance(LEASE_MS);
  await start(userId);
  await service.settle();
  expect((await get(userId, exportId)).body.status).toBe("failed");
});

test("a user that is deleted before its export runs leaves no file", { tags: "deep" }, async () => {
  const userId = await service.createUser("deleted early");
  const exportId = await startDying(userId);
  await service.call("DELETE", `/v2/user/${userId}`);
  await service.advance(6 * 900_000 + 1_000);
  expect((await objects()).filter((key) => key.includes(userId))).toEqual([]);
  await service.call("POST", `/v2/user/undo_delete?user_id=${userId}`);
  expect((await get(userId, exportId)).body.status).toBe("failed");
});

test("a deleted user has no exports, and an erasure leaves neither record nor file", { tags: "deep" }, async () => {
  const userId = await service.createUser("erased");
  const { body } = await start(userId);
  await service.settle();
  service.cloud.faults.add({ service: "s3", function: findFunctionName(service, "runExport"), mode: "fail_after" });
  await start(userId);
  await service.settle();
  service.cloud.faults.clear();
  expect((await objects()).filter((key) => key.includes(userId))).toHaveLength(2);
  await service.call("DELETE", `/v2/user/${userId}`);
  for (const answer of [await get(userId, body.id), await start(userId)]) {
    expect(answer).toMatchObject({ status: 404, body: { code: "user_not_found" } });
  }
  await service.advance(7 * DAY_MS + 1_000);
  expect(await findItemsContaining(service, userId)).toEqual([]);
  expect((await objects()).filter((key) => key.includes(userId))).toEqual([]);
});
