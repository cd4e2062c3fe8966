import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { type BatchOptions, createHeartRates, ingestBatch, readGroupedPage } from "../ingest/ingest-batch.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const RANGE = { start_date: "2026-05-01", end_date: "2026-05-02" };
const beats = (...values: number[]) =>
  createHeartRates("2026-05-01T08:00:00Z", values.length).map((beat, index) => ({ ...beat, value: values[index] }));
const device = (id: string): BatchOptions => ({ device: { id } });

interface Group {
  readonly source: { readonly device_id: string | null; readonly app_id: string | null };
  readonly data: readonly { readonly value: number }[];
}

/** The values of each device and app, in the order of their names. */
async function values(userId: string, query: Record<string, string> = {}) {
  const { body } = await readGroupedPage(service, userId, "heartrate", { ...RANGE, ...query });
  const groups: Group[] = body.groups.apple_health_kit ?? [];
  return groups.map(({ source, data }) => [source.device_id, source.app_id, data.map(({ value }) => value)]).sort();
}

test("two devices at the same instants are two groups, each with its id and its totals", { tags: "deep" }, async () => {
  const userId = await service.createUser("two devices");
  await ingestBatch(service, userId, { heartrate: beats(60, 61) }, device("a"));
  const receipt = await ingestBatch(service, userId, { heartrate: beats(90, 91) }, device("b"));
  expect(receipt).toMatchObject({ stored: 2, updated: 0, unchanged: 0 });
  expect(await values(userId)).toEqual([
    ["a", null, [60, 61]],
    ["b", null, [90, 91]],
  ]);
  const plain = await service.call("GET", `/v2/timeseries/${userId}/heartrate?${new URLSearchParams(RANGE)}`);
  expect(plain.body.map(({ value }: { value: number }) => value).sort()).toEqual([60, 61, 90, 91]);
});

test("apps of one device and data of neither are groups of their own", { tags: "deep" }, async () => {
  const userId = await service.createUser("apps");
  for (const [index, app] of ["x", "y"].entries())
    await ingestBatch(service, userId, { heartrate: beats(60 + index) }, { ...device("a"), app: { id: app } });
  await ingestBatch(service, userId, { heartrate: beats(70) });
  expect(await values(userId)).toEqual([
    [null, null, [70]],
    ["a", "x", [60]],
    ["a", "y", [61]],
  ]);
});

test("a batch sent again changes nothing, and a correction changes its device alone", async () => {
  const userId = await service.createUser("resent");
  for (const [id, value] of [
    ["a", 60],
    ["b", 90],
  ] as const)
    await ingestBatch(service, userId, { heartrate: beats(value, value + 1) }, device(id));
  const again = await ingestBatch(service, userId, { heartrate: beats(60, 61) }, device("a"));
  expect(again).toMatchObject({ stored: 0, updated: 0, unchanged: 2, event_ids: [] });
  const before = new Date(service.cloud.clock.now()).toISOString();
  await service.advance(1_000);
  expect(await ingestBatch(service, userId, { heartrate: beats(65) }, device("a"))).toMatchObject({ updated: 1 });
  expect(await values(userId)).toEqual([
    ["a", null, [65, 61]],
    ["b", null, [90, 91]],
  ]);
  expect(await values(userId, { as_of: before })).toEqual([
    ["a", null, [60, 61]],
    ["b", null, [90, 91]],
  ]);
});

test("a deletion by one device leaves the sample of the other", async () => {
  const userId = await service.createUser("deletion");
  const { body } = await service.call("POST", `/v2/user/${userId}/sign_in_token`);
  const options = { key: null, body: { sign_in_token: body.sign_in_token } };
  const session = await service.call("POST", "/v2/sdk/session", options);
  const headers = { authorization: `Bearer ${session.body.access_token}` };
  let part = 0;
  const sync = async (id: string, resources: object, deleted: object = {}) => {
    const about = { provider: "apple_health_kit", source_type: "watch", sync_id: "s", part: part++, ...device(id) };
    const answer = await service.call("POST", "/v2/sdk/sync", {
      key: null,
      headers,
      body: { ...about, resources, deleted },
    });
    expect(answer.status).toBe(202);
    await service.settle();
  };
  await sync("a", { heartrate: beats(60, 61) });
  await sync("b", { heartrate: beats(90, 91) });
  await sync("a", {}, { heartrate: [{ timestamp: "2026-05-01T08:00:00Z" }] });
  expect(await values(userId)).toEqual([
    ["a", null, [61]],
    ["b", null, [90, 91]],
  ]);
});

test("events name the device and the app", async () => {
  const userId = await service.createUser("events");
  for (const id of ["a", "b"])
    await ingestBatch(service, userId, { heartrate: beats(60) }, { ...device(id), app: { id: `app of ${id}` } });
  const events = (await service.inbox()).filter(({ body }) => body.user_id === userId && body.data.data);
  expect(events.map(({ body }) => [body.event_type, body.data.source.device_id, body.data.source.app_id])).toEqual([
    ["daily.data.heartrate.created", "a", "app of a"],
    ["daily.data.heartrate.created", "b", "app of b"],
  ]);
});

test("pages return each sample of several devices once", { tags: "deep" }, async () => {
  const userId = await service.createUser("pages of devices");
  const long = '"'.repeat(4_000);
  const ids = ["a", "b", "c"];
  for (const id of ids) {
    const note = createHeartRates("2026-05-01T08:00:00Z", 200, 60_000).map(({ timestamp }) => ({
      timestamp,
      value: `${id} ${long}`,
    }));
    await ingestBatch(service, userId, { note }, device(id));
  }
  const read: string[] = [];
  let pages = 0;
  let next_cursor = "";
  do {
    const page = await readGroupedPage(service, userId, "note", { ...RANGE, next_cursor });
    expect(page.status).toBe(200);
    for (const { source, data } of page.body.groups.apple_health_kit)
      for (const { timestamp, value } of data) {
        expect(value.startsWith(`${source.device_id} `)).toBe(true);
        read.push(`${source.device_id} ${timestamp}`);
      }
    pages++;
    next_cursor = page.body.next_cursor;
  } while (next_cursor);
  expect(pages).toBeGreaterThan(2);
  expect([read.length, new Set(read).size]).toEqual([600, 600]);
});

test("a query groups samples by their app", async () => {
  const userId = await service.createUser("query by app");
  for (const [index, id] of ["x", "y"].entries())
    await ingestBatch(service, userId, { heartrate: beats(60 + index) }, { ...device("a"), app: { id } });
  const query = {
    timeframe: { type: "relative", anchor: "2026-05-01", past: { value: 1, unit: "day" } },
    queries: [
      {
        select: [{ group_key: "*" }, { func: "mean", arg: { timeseries: "heartrate", field: "value" } }],
        group_by: [{ source: "source_app_id" }],
      },
    ],
  };
  const { status, body } = await service.call("POST", `/aggregate/v1/user/${userId}/query`, { body: query });
  expect([status, body.results]).toEqual([200, [{ table: { "group_key.0": ["x", "y"], "mean.value": [60, 61] } }]]);
});
