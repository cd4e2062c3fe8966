// @module-tag story
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { keepPayloads } from "./keep-payloads.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";

const provider = "oura";
let service: TestService;
let ada: string;

beforeAll(async () => {
  service = await TestService.start();
  await setPullDays(service, 3);
  ada = await service.createUser("ada");
}, 120_000);
afterAll(() => service.stop());

const call = (method: string, path: string, body?: object, user = ada) =>
  service.call(method, `/v2/raw_payloads/${user}${path}`, body ? { body } : {});
/** Runs a remap to its end. */
const remap = async (body: object) => {
  const { status } = await call("POST", "/remap", { provider, ...body });
  expect(status).toBe(202);
  await service.settle();
  const { body: done } = await call("GET", "/remap");
  expect(done).toMatchObject({ status: "done", incomplete: 0 });
  return done;
};
const sum = (resources: Record<string, Record<string, number>>, name: string) =>
  Object.values(resources).reduce((total, counts) => total + (counts[name] ?? 0), 0);
const nights = async () =>
  (await service.call("GET", `/v2/timeseries/${ada}/hrv/grouped?start_date=2020-01-01`)).body.groups[provider] ?? [];

test("without the feature nothing is kept", async () => {
  await connectAccount(service, ada, "ada");
  await service.settle();
  const { body } = await call("GET", "");
  expect(body).toEqual({ data: [], skipped: [], next_cursor: null });
  expect((await service.call("GET", "/v2/team")).body?.configuration?.provider_raw_data ?? false).toBe(false);
}, 60_000);

test("with the feature, each response of a pull is listed and returned as received, without tokens", async () => {
  await keepPayloads(service);
  await service.call("POST", `/v2/user/refresh/${ada}`);
  await service.settle();
  const all: { id: string; resource: string; received_at: string; request: { url: string } }[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { status, body } = await call("GET", `?page_size=3${cursor && `&next_cursor=${cursor}`}`);
    expect(status).toBe(200);
    all.push(...body.data);
    cursor = body.next_cursor;
  }
  expect(all.length).toBeGreaterThan(5);
  const places = all.map(({ received_at, id }) => `${received_at} ${id}`);
  expect(places).toEqual([...new Set(places)].toSorted().reverse());
  expect(new Set(all.map(({ resource }) => resource)).size).toBeGreaterThan(3);
  const [sleep] = (await call("GET", "?resource=sleep&provider=oura")).body.data;
  expect(sleep).toMatchObject({ provider, resource: "sleep", origin: "pull", status: 200, record_id: null });
  expect(sleep.window.end > sleep.window.start).toBe(true);
  const answer = await call("GET", `/${sleep.id}`);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, sleep.content_type]);
  expect(JSON.stringify(answer.body)).toContain("data");
  for (const one of all) expect(JSON.stringify(one)).not.toMatch(/bearer/i);
  expect((await call("GET", "?provider=strava")).body.data).toEqual([]);
}, 60_000);

test("bad requests are refused, and another team sees nothing", async () => {
  const [{ id }] = (await call("GET", "")).body.data;
  expect((await call("GET", "/not-an-id")).status).toBe(422);
  expect((await call("GET", `/${id.slice(0, -4)}9999`)).body.code).toBe("not_found");
  expect((await call("GET", "?next_cursor=made-up")).status).toBe(422);
  expect((await call("GET", "?since=yesterday")).status).toBe(422);
  expect((await call("POST", "/remap", { provider: "nobody" })).status).toBe(422);
  expect((await call("GET", "/remap")).body.code).toBe("not_found");
  const { key } = await service.createTeam("curious");
  for (const path of ["", `/${id}`, "/remap"]) {
    const { status } = await service.call("GET", `/v2/raw_payloads/${ada}${path}`, { key });
    expect(status).toBe(404);
  }
});

test("a remap deletes and restores what today's bounds of ingestion leave out, under receipts that name it", {
  tags: "deep",
}, async () => {
  const before = await nights();
  expect(before.length).toBeGreaterThan(0);
  expect(sum((await remap({})).resources, "changed")).toBe(0);
  await service.call("PATCH", `/v2/user/${ada}`, { body: { ingestion_end: "2020-01-01" } });
  const counted = await remap({});
  expect(sum(counted.resources, "gone")).toBeGreaterThan(0);
  expect(await nights()).toEqual(before);
  const done = await remap({ dry_run: false });
  expect(done.resources).toEqual(counted.resources);
  const receipt = await service.call("GET", `/v2/ingest/${ada}/${done.receipt_ids[0]}`);
  expect(receipt.body).toMatchObject({ remap_id: done.id, status: "done" });
  expect(JSON.stringify(await nights()).length).toBeLessThan(JSON.stringify(before).length);
  await service.call("PATCH", `/v2/user/${ada}`, { body: { ingestion_end: null } });
  expect(sum((await remap({ dry_run: false })).resources, "added")).toBeGreaterThan(0);
  expect(await nights()).toEqual(before);
  expect(sum((await remap({ dry_run: false })).resources, "added")).toBe(0);
});

test("a payload expires after the days of its team", { tags: "deep" }, async () => {
  await keepPayloads(service, { raw_payload_days: 1 });
  const bea = await service.createUser("bea");
  await connectAccount(service, bea, "bea");
  await service.settle();
  const [{ id }] = (await call("GET", "", undefined, bea)).body.data;
  await service.advance(24 * 3_600_000 + 60_000);
  expect((await call("GET", `/${id}`, undefined, bea)).status).toBe(404);
});

test("a deleted user's payloads are gone from the bucket and the tables", {
  tags: "deep",
  timeout: 240_000,
}, async () => {
  await service.call("DELETE", `/v2/user/${ada}`);
  await service.advance(8 * 24 * 3_600_000);
  expect((await call("GET", "")).status).toBe(404);
  const { body } = await service.call("GET", `/v2/user/erasure/${ada}`);
  expect(JSON.stringify(body)).toContain("rawPayloads");
});
