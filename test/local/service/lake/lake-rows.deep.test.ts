// @module-tag deep
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount, isDeep } from "../../../support/depth.ts";
import { TestService } from "../../../support/service.ts";
import { testSettings } from "../../../support/test-settings.ts";
import { createHeartRates, ingestBatch, pageSamples, readGroupedPage } from "../ingest/ingest-batch.ts";
import { placeOrder } from "../orders/order-helpers.ts";
import { countLakeBytes, lakePath, openInDuckdb, readAllRows } from "./lake-files.ts";

const BATCH = 10_000;
/** Most commits of the summary and the order. */
const SMALL_COMMITS = 10;
const INTERVAL_MS = 5_000;
const FIRST_MS = Date.parse("2026-05-01T00:00:00Z");
const BATCHES_OF_USER = chooseCount(1, 5, 10);
const USERS = chooseCount(2, 4, 10);
const TIMEOUT = chooseCount(120_000, 3_600_000);

let service: TestService;
let users: string[];
beforeAll(async () => {
  service = await TestService.start(undefined, testSettings.lake);
  await service.manage("POST", lakePath(service), { body: { enabled: true } });
  users = [];
  for (let user = 0; user < USERS; user++) {
    const userId = await service.createUser(`lake-${user}`);
    users.push(userId);
    for (let batch = 0; batch < BATCHES_OF_USER; batch++) {
      const start = new Date(FIRST_MS + batch * BATCH * INTERVAL_MS).toISOString();
      await ingestBatch(service, userId, { heartrate: createHeartRates(start, BATCH, INTERVAL_MS) });
    }
  }
  await ingestBatch(service, users[0] ?? "", {
    blood_pressure: [{ timestamp: "2026-05-01T08:00:00Z", systolic: 121, diastolic: 79 }],
    activity: [{ calendar_date: "2026-05-01", steps: 7_000 }],
  });
  await placeOrder(service, users[0] ?? "");
}, TIMEOUT);
afterAll(() => service.stop());

/** Reads all samples of a user through the API, page by page. */
async function readThroughApi(userId: string) {
  const samples: { timestamp: string; value: number }[] = [];
  let next_cursor: string | null = "";
  do {
    const query = { start_date: "2026-05-01", end_date: "2026-05-31", ...(next_cursor ? { next_cursor } : {}) };
    const page = await readGroupedPage(service, userId, "heartrate", query);
    samples.push(...pageSamples(page).map(({ timestamp, value }) => ({ timestamp, value })));
    next_cursor = page.body.next_cursor;
  } while (next_cursor);
  return samples;
}

const samplesOf = (userId: string) => `
  SELECT strftime(start, '%Y-%m-%dT%H:%M:%S+00:00') AS timestamp, value
  FROM samples WHERE user_id = '${userId}' AND resource = 'heartrate' ORDER BY start`;

test(
  "every sample is in the lake once, with the value that the API returns",
  async () => {
    const lake = await openInDuckdb(service);
    for (const userId of users) {
      const rows = await lake.rows(samplesOf(userId));
      expect(rows).toHaveLength(BATCH * BATCHES_OF_USER);
      expect(rows).toEqual(await readThroughApi(userId));
    }
    lake.close();
  },
  TIMEOUT,
);

test(
  "an append costs a few requests for each day of each batch",
  async () => {
    const { functions } = service.cloud.meter.snapshot();
    const [, usage] = Object.entries(functions).find(([name]) => name.includes("appendToLake")) ?? [];
    const puts = Object.values(usage?.buckets ?? {}).reduce((sum, { PUT }) => sum + (PUT?.requests ?? 0), 0);
    const days = (USERS * BATCHES_OF_USER + 1) * 2;
    // A file for each day, and three files of metadata for each commit. A single batch may have a commit of its own.
    expect(puts).toBeGreaterThan(0);
    expect(puts).toBeLessThanOrEqual(days + USERS * BATCHES_OF_USER * 3 + SMALL_COMMITS * 4);
    const { tables: _, ...requests } = usage ?? {};
    if (isDeep)
      console.info(`appendToLake: ${JSON.stringify(requests)}; ${await countLakeBytes(service)} bytes stored`);
  },
  TIMEOUT,
);

test(
  "the queries of the page run",
  async () => {
    const page = readFileSync("docs/lake.md", "utf8");
    const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql = ""]) => sql);
    const lake = await openInDuckdb(service);
    const results: Record<string, unknown>[][] = [];
    for (const sql of queries) results.push(await lake.rows(sql));
    lake.close();
    expect(queries.length).toBeGreaterThan(3);
    const [, byDay, pressures, steps, orders] = results;
    const samples = byDay?.reduce((sum, row) => sum + Number(row.samples), 0);
    expect(samples).toBe(USERS * BATCHES_OF_USER * BATCH);
    expect(pressures).toEqual([expect.objectContaining({ user_id: users[0], systolic: 121 })]);
    expect(steps).toEqual([expect.objectContaining({ user_id: users[0], steps: 7_000 })]);
    expect(orders?.map((row) => Number(row.orders))).toEqual([1]);
  },
  TIMEOUT,
);

test("erased users have no row in any file of the bucket, and all other rows stay", {
  timeout: TIMEOUT,
}, async () => {
  const [erased, kept] = [users.slice(0, USERS / 2), users.slice(USERS / 2)];
  for (const userId of erased) await service.call("DELETE", `/v2/user/${userId}`);
  await service.advance(7 * 24 * 60 * 60_000 + 60_000);
  const rows = await readAllRows(service);
  expect(erased.map((userId) => rows.get(userId) ?? 0)).toEqual(erased.map(() => 0));
  const lake = await openInDuckdb(service);
  for (const userId of kept) expect(await lake.rows(samplesOf(userId))).toHaveLength(BATCH * BATCHES_OF_USER);
  lake.close();
});
