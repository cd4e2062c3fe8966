// @module-tag story
import { afterAll, beforeAll, expect, test } from "vitest";
import { dayOfDate } from "../../../../lib/domain/lake/lake-column.ts";
import { lakeTable } from "../../../../lib/domain/lake/lake-tables.ts";
import { listLiveFiles, listReferencedKeys, readTable } from "../../../../lib/services/lake/iceberg/table-state.ts";
import { TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { createHeartRates, ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";
import { placeOrder } from "../orders/order-helpers.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { lakeObjects, lakePath, listLakeKeys, openInDuckdb, readAllRows } from "./lake-files.ts";

/** More calls to DynamoDB than the append of one batch makes. */
const CALLS_OF_APPEND = 14;
const HOUR_MS = 60 * 60 * 1000;

let service: TestService;
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.lake);
});
afterAll(() => service.stop());

const setLake = (enabled: boolean) => service.manage("POST", lakePath(service), { body: { enabled } });
const sql = async (text: string) => {
  const lake = await openInDuckdb(service);
  try {
    return await lake.rows(text);
  } finally {
    lake.close();
  }
};
const day = "2026-05-01";
const count = async (table: string, where = "true") =>
  Number((await sql(`SELECT count(*) AS n FROM ${table} WHERE ${where}`))[0]?.n);

test("a team without a lake has no tables, and its data leaves no object", async () => {
  for (const name of ["before", "also before"]) {
    const userId = await service.createUser(name);
    await ingestBatch(service, userId, { heartrate: createHeartRates(`${day}T00:00:00Z`, 10) });
  }
  const { body } = await service.manage("GET", lakePath(service));
  expect(body).toEqual({ enabled: false, tables: [] });
  expect(await listLakeKeys(service)).toEqual([]);
});

test("a lake that is turned on takes what the service stored before", { tags: "deep" }, async () => {
  expect((await setLake(true)).body.enabled).toBe(true);
  await service.settle();
  expect(await count("samples")).toBe(20);
  // Turned on again, it adds nothing.
  await setLake(true);
  await service.settle();
  expect(await count("samples")).toBe(20);
});

test("the lake holds each sample as the API returns it", { tags: "deep" }, async () => {
  const userId = await service.createUser("equal");
  await ingestBatch(service, userId, { heartrate: createHeartRates(`${day}T22:00:00Z`, 3_000) });
  const rows = await sql(
    `SELECT strftime(start, '%Y-%m-%dT%H:%M:%S+00:00') AS timestamp, value FROM samples WHERE user_id = '${userId}' ORDER BY start`,
  );
  const query = { start_date: day, end_date: "2026-05-02", limit: "5000" };
  const page = await readGroupedPage(service, userId, "heartrate", query);
  const samples = pageSamples(page).map(({ timestamp, value }) => ({ timestamp, value }));
  expect(samples).toHaveLength(3_000);
  expect(rows).toEqual(samples);
});

test("a batch is appended once, whichever call of its append takes effect without an answer", {
  tags: "deep",
}, async () => {
  const userId = await service.createUser("once");
  const name = findFunctionName(service, "appendToLake");
  for (let call = 1; call <= CALLS_OF_APPEND; call++) {
    const fault = { service: "dynamodb", mode: "fail_after", every_attempt: true } as const;
    service.cloud.faults.add({ ...fault, function: name, at_call: call });
    const start = new Date(Date.parse(`${day}T08:00:00Z`) + call * 60_000).toISOString();
    await ingestBatch(service, userId, { heartrate: createHeartRates(start, 5) });
    await service.advance(HOUR_MS);
    expect([call, await count("samples", `user_id = '${userId}'`)]).toEqual([call, call * 5]);
    service.cloud.faults.clear();
  }
});

test("rows are versions, and maintenance keeps the latest in one file of each day", { tags: "deep" }, async () => {
  const userId = await service.createUser("versions");
  const at = "2026-03-01T08:00:00Z";
  const send = (record: object) => ingestBatch(service, userId, { steps: [{ start: at, end: at, ...record }] });
  await send({ value: 10 });
  await service.advance(1_000);
  await send({ value: 20 });
  await ingestBatch(service, userId, { heartrate: createHeartRates("2026-03-01T10:00:00Z", 5) });
  const of = `user_id = '${userId}' AND resource = 'steps'`;
  expect(await sql(`SELECT value FROM samples WHERE ${of} ORDER BY received_at`)).toEqual([
    { value: 10 },
    { value: 20 },
  ]);
  const filesOfDay = async () => {
    const objects = lakeObjects(service);
    const { body } = await service.manage("GET", lakePath(service));
    const { metadata_location } = body.tables.find((table: { name: string }) => table.name === "samples");
    const state = await readTable(objects, objects.keyOf(metadata_location), lakeTable("samples").columns);
    return (await listLiveFiles(objects, state)).filter((file) => file.day === dayOfDate("2026-03-01"));
  };
  expect(await filesOfDay()).toHaveLength(3);
  await service.advance(3 * HOUR_MS);
  expect(await filesOfDay()).toHaveLength(1);
  expect(await sql(`SELECT value FROM samples WHERE ${of}`)).toEqual([{ value: 20 }]);
  expect(await count("samples", `user_id = '${userId}'`)).toBe(6);
});

test("a sample that its phone deletes has a version without a value", { tags: "deep" }, async () => {
  const userId = await service.createUser("deleted");
  const { body } = await service.call("POST", `/v2/user/${userId}/sign_in_token`);
  const signIn = { key: null, body: { sign_in_token: body.sign_in_token } };
  const session = await service.call("POST", "/v2/sdk/session", signIn);
  const headers = { authorization: `Bearer ${session.body.access_token}` };
  const about = { provider: "apple_health_kit", source_type: "watch", sync_id: "s" };
  const sync = async (part: number, content: object) => {
    await service.call("POST", "/v2/sdk/sync", { key: null, headers, body: { ...about, part, ...content } });
    await service.settle();
  };
  await sync(0, { resources: { heartrate: createHeartRates(`${day}T08:00:00Z`, 2) } });
  await service.advance(1_000);
  await sync(1, { resources: {}, deleted: { heartrate: [{ timestamp: `${day}T08:00:00Z` }] } });
  const of = `user_id = '${userId}' AND start = TIMESTAMPTZ '${day} 08:00:00+00'`;
  expect(await sql(`SELECT value, is_deleted FROM samples WHERE ${of} ORDER BY received_at`)).toEqual([
    { value: 50, is_deleted: false },
    { value: null, is_deleted: true },
  ]);
});

test("maintenance drops old snapshots, and deletes every file that no snapshot uses", { tags: "deep" }, async () => {
  await service.advance(12 * HOUR_MS);
  const objects = lakeObjects(service);
  const { body } = await service.manage("GET", lakePath(service));
  const used: string[] = [];
  for (const { name, metadata_location } of body.tables) {
    const key = objects.keyOf(metadata_location);
    const state = await readTable(objects, key, lakeTable(name).columns);
    expect(state.metadata.snapshots).toHaveLength(1);
    used.push(key, ...(await listReferencedKeys(objects, state)));
  }
  expect((await listLakeKeys(service)).sort()).toEqual(used.sort());
});

test("summaries, events and orders are in their tables", { tags: "deep" }, async () => {
  const userId = await service.createUser("summaries");
  await ingestBatch(service, userId, { activity: [{ calendar_date: day, steps: 7_000 }] });
  await service.settle();
  const query = `start_date=${day}&end_date=${day}`;
  const { body } = await service.call("GET", `/v2/summary/activity/${userId}?${query}`);
  const [row] = await sql(`SELECT body, is_derived FROM summaries WHERE user_id = '${userId}' AND kind = 'activity'`);
  expect(JSON.parse(String(row?.body))).toEqual(body.activity[0]);
  expect(row?.is_derived).toBe(false);
  const { id: orderId } = await placeOrder(service, userId);
  const orders = await sql(`SELECT order_id, type FROM orders WHERE user_id = '${userId}'`);
  expect(orders).toContainEqual({ order_id: orderId, type: "labtest.order.created" });
  expect(await count("events", `user_id = '${userId}' AND type LIKE 'labtest.order.%'`)).toBe(orders.length);
});

test("an erased user has no row in any file of the bucket, and the certificate counts the user's days", {
  tags: "deep",
}, async () => {
  const [erased, other] = [await service.createUser("erased"), await service.createUser("stays")];
  for (const userId of [erased, other]) {
    await ingestBatch(service, userId, {
      heartrate: createHeartRates("2026-04-10T23:00:00Z", 7_200),
      activity: [{ calendar_date: "2026-04-10", steps: 1 }],
    });
  }
  const before = await count("samples", `user_id = '${other}'`);
  expect(await count("samples", `user_id = '${erased}'`)).toBe(7_200);
  await service.call("DELETE", `/v2/user/${erased}`);
  await service.advance(7 * 24 * HOUR_MS + 60_000);
  const certificate = await service.call("GET", `/v2/user/erasure/${erased}`);
  expect(certificate.body.stores.lakeUsers).toBeGreaterThan(0);
  const rows = await readAllRows(service);
  expect(rows.get(erased)).toBeUndefined();
  expect(rows.get(other)).toBeGreaterThanOrEqual(before);
  expect(await count("samples", `user_id = '${other}'`)).toBe(before);
});

test("a lake that is turned off keeps its tables and takes no rows", { tags: "deep" }, async () => {
  expect((await setLake(false)).body.tables.length).toBeGreaterThan(0);
  const userId = await service.createUser("after");
  await ingestBatch(service, userId, { heartrate: createHeartRates(`${day}T00:00:00Z`, 10) });
  expect(await count("samples", `user_id = '${userId}'`)).toBe(0);
});
