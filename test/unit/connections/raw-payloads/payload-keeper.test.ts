import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { PulledProvider } from "../../../../lib/connectors/connector.ts";
import { MAPPER_VERSION } from "../../../../lib/connectors/mapper-version.ts";
import { directoryTable, rawPayloads } from "../../../../lib/contract/resources.ts";
import { MAX_PAYLOAD_BYTES, MAX_PAYLOADS_PER_DAY } from "../../../../lib/domain/connections/raw-payloads/retention.ts";
import type { UserRecord } from "../../../../lib/domain/users/user.ts";
import { openTable } from "../../../../lib/runtime/aws/aws.ts";
import { UserKeyGone } from "../../../../lib/runtime/errors.ts";
import { setPorts } from "../../../../lib/runtime/ports.ts";
import { PayloadKeeper } from "../../../../lib/services/connections/raw-payloads/payload-keeper.ts";
import { startDynamodb, type TestDynamodb } from "../../../support/dynamodb.ts";
import { keepingTeam, log, StoringService, scope } from "./storing-service.ts";

const HOUR_MS = 3_600_000;
const noon = Date.UTC(2026, 4, 20, 12);
const connector = { slug: "oura" } as PulledProvider;

let database: TestDynamodb;
let service: StoringService;
let user: UserRecord;
let nowMs = noon;
beforeAll(async () => {
  database = await startDynamodb();
});
beforeEach(async () => {
  await database.clear();
  nowMs = noon;
  setPorts({ clock: { now: () => nowMs } });
  service = new StoringService();
  user = service.addUser("user", "oura", "ada");
});
afterAll(() => database.stop());

const keeperOf = (team = keepingTeam) =>
  PayloadKeeper.of(service, team, { scope, user, connector, log }) as PayloadKeeper;
const json = { "content-type": "application/json" };

/** Pulls one response. @returns the body that the connector reads. */
async function pullOne(body: string | Uint8Array<ArrayBuffer>, init: ResponseInit = {}, url = "https://api.test/data") {
  const keeper = keeperOf();
  keeper.begin("sleep", { window: { startMs: noon - HOUR_MS, endMs: noon } });
  const fetch = keeper.observe(async () => new Response(body, { headers: json, ...init }));
  const headers = { authorization: "Bearer secret-1" };
  const answer = await (await fetch(url, { method: "GET", headers })).text();
  await keeper.finish();
  return answer;
}
const listed = async () => (await service.rawPayloads.list(scope, "user", {}, undefined, 100, nowMs)).items;
const bodies = async () =>
  Promise.all((await listed()).map(async (one) => (await service.rawPayloads.readBody(scope, "user", one)).toString()));
const skipped = () => service.rawPayloads.days.listSkipped(scope, "user");

test("a team without the feature has no keeper", () => {
  expect(keeperOf({ ...keepingTeam, features: [] })).toBeUndefined();
  expect(PayloadKeeper.of(service, undefined, { scope, user, connector, log })).toBeUndefined();
});

test("a response is kept as received, with its request, and reaches the connector unchanged", async () => {
  expect(await pullOne('{"steps": 5}')).toBe('{"steps": 5}');
  expect(await bodies()).toEqual(['{"steps": 5}']);
  expect(await listed()).toMatchObject([
    {
      ...{ provider: "oura", resource: "sleep", method: "GET", url: "https://api.test/data", status: 200, bytes: 12 },
      ...{
        content_type: "application/json",
        mapper_version: MAPPER_VERSION,
        account_id: "ada",
        received_at: "2026-05-20T12:00:00.000Z",
      },
    },
  ]);
});

test("no secret of request or response is kept, and none is withheld from the connector", async () => {
  const payload = JSON.stringify({
    access_token: "secret-2",
    next_token: "page-2",
    url: "https://x.test/f?token=secret-3&a=1",
  });
  expect(await pullOne(payload, {}, "https://api.test/data?access_token=secret-1&page=1")).toBe(payload);
  const everything = JSON.stringify([await listed(), await bodies()]);
  expect(everything).not.toContain("secret");
  expect(everything).toContain("page-2");
  expect(await listed()).toMatchObject([{ url: "https://api.test/data?access_token=redacted&page=1" }]);
});

test("responses that renew access or postpone the pull are not kept", async () => {
  for (const status of [401, 429, 500, 503]) await pullOne("{}", { status });
  expect(await listed()).toEqual([]);
  await pullOne("{}", { status: 404 });
  expect(await listed()).toMatchObject([{ status: 404 }]);
});

test("equal bodies are one object, sealed under the key of the user", async () => {
  await pullOne('{"person": "Ada"}');
  const [name = ""] = (await listed()).map(({ digest }) => `team/user/${digest}`);
  nowMs += HOUR_MS;
  await pullOne('{"person": "Ada"}');
  expect(await listed()).toHaveLength(2);
  expect([...service.objects.contents.keys()].filter((one) => one === name)).toHaveLength(1);
  expect([...service.objects.contents.values()].join()).not.toContain("Ada");
  const [payload] = await listed();
  const foreign = service.rawPayloads.readBody(scope, "other", payload as never);
  await expect(foreign).rejects.toThrow();
});

test("a payload beyond the number of a day or the size of a body is counted, and the pull goes on", async () => {
  const key = { pk: `${rawPayloads.keyPrefix}team#user`, sk: "day#2026-05-20" };
  await openTable(directoryTable).put({ ...key, kept: MAX_PAYLOADS_PER_DAY - 1 });
  await pullOne("[1]");
  expect(await pullOne("[2]")).toBe("[2]");
  expect(await bodies()).toEqual(["[1]"]);
  expect(await skipped()).toEqual([{ date: "2026-05-20", count: 1 }]);
  nowMs += 24 * HOUR_MS;
  const large = new Uint8Array(MAX_PAYLOAD_BYTES + 1);
  expect(await pullOne(large)).toHaveLength(MAX_PAYLOAD_BYTES + 1);
  expect(await skipped()).toEqual([
    { date: "2026-05-20", count: 1 },
    { date: "2026-05-21", count: 1 },
  ]);
});

test("a user without a key yet is pulled, and the payload is counted", { tags: "deep" }, async () => {
  service.ciphers.forUser = async () => {
    throw new UserKeyGone("no key");
  };
  expect(await pullOne("[1]")).toBe("[1]");
  expect([await listed(), await skipped()]).toEqual([[], [{ date: "2026-05-20", count: 1 }]]);
});

test("a pull fails if a payload cannot be kept, so that it is repeated", async () => {
  service.objects.put = async () => {
    throw new Error("the bucket is unavailable");
  };
  await expect(pullOne("[1]")).rejects.toThrow("the bucket is unavailable");
});

test("a payload is gone after the days of its team, and the list finds it by provider, resource and time", async () => {
  await pullOne("[1]");
  const list = (filter: object) => service.rawPayloads.list(scope, "user", filter, undefined, 10, nowMs);
  expect((await list({ provider: "oura", resource: "sleep", fromMs: noon, toMs: noon + 1 })).items).toHaveLength(1);
  for (const filter of [{ provider: "strava" }, { resource: "workouts" }, { toMs: noon }, { fromMs: noon + 1 }])
    expect((await list(filter)).items).toEqual([]);
  const [{ payload_id: id } = { payload_id: "" }] = await listed();
  nowMs += 30 * 24 * HOUR_MS - 1;
  expect(await service.rawPayloads.get(scope, "user", id, nowMs)).toBeDefined();
  nowMs += 1;
  expect([await listed(), await service.rawPayloads.get(scope, "user", id, nowMs)]).toEqual([[], undefined]);
});
