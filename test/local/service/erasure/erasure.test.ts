// @module-tag share
import { afterAll, beforeAll, expect, test } from "vitest";
import { chooseCount } from "../../../support/depth.ts";
import { TestService } from "../../../support/service.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { createCanaryUser, createPayor } from "../platform/confidentiality/canary-user.ts";
import { findValues, itemText, type RawItem, scanAllItems } from "../support/search-stored-data.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { runErasureDrill } from "./erasure-drill.ts";
import { reapplyErasures, restoreItems } from "./restored-backup.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

let service: TestService;
let isOver = false;
beforeAll(async () => {
  service = await TestService.start();
  for (const provider of ["oura", "whoop_v2"]) await setPullDays(service, 1, provider);
}, 120_000);
afterAll(() => (isOver ? undefined : service.stop()));

const remove = (userId: string) => service.call("DELETE", `/v2/user/${userId}`);
const certificate = (userId: string, key?: string) =>
  service.call("GET", `/v2/user/erasure/${userId}`, key === undefined ? {} : { key });
const asked = (slug: string) => service.started.service.providers.requests.filter((one) => one.slug === slug);
const revocations = (slug: string) => asked(slug).filter(({ path }) => /revoke|\/user\/access$/.test(path));
const none = { given_back: 0, ended_before: 0, not_offered: 0, refused: 0, failed: 0 };

test("an erasure issues a certificate with its inventory, and its scan finds nothing", { tags: "deep" }, async () => {
  const having = { payor_code: await createPayor(service), order: true, report: true, review: true };
  const { user_id, canaries } = await createCanaryUser(service, "certified", having);
  await service.settle();
  expect((await certificate(user_id)).status).toBe(404);
  const requestedAt = new Date(service.cloud.clock.now()).toISOString();
  await remove(user_id);
  expect((await certificate(user_id)).status).toBe(404);
  await service.advance(7 * DAY_MS + 60_000);
  const { status, body } = await certificate(user_id.toUpperCase());
  expect(status).toBe(200);
  expect(body).toMatchObject({ user_id, consents: none, scan: { found: 0 } });
  expect(body.requested_at.slice(0, 15)).toBe(requestedAt.slice(0, 15));
  expect(Date.parse(body.erased_at) - Date.parse(body.requested_at)).toBeGreaterThanOrEqual(7 * DAY_MS);
  expect(body.scan.places).toBeGreaterThan(80);
  const stores = ["chunks", "summaries", "streams", "streams_objects", "userInfos", "insurances", "receipts", "outbox"];
  const labs = [
    "orders",
    "orderPlacements_objects",
    "labReports",
    "reportFiles_objects",
    "deliveredData",
    "deliveries",
    "matchReviews",
  ];
  for (const store of [...stores, ...labs]) expect([store, body.stores[store] ?? 0]).not.toEqual([store, 0]);
  const text = JSON.stringify(body);
  expect(findValues(text, canaries)).toEqual([]);
});

test("a certificate belongs to the team alone, and does not contain the id of the user", { tags: "deep" }, async () => {
  const { key } = await service.createTeam("Curious");
  const user_id = await service.createUser("forgotten");
  await remove(user_id);
  await service.advance(7 * DAY_MS + 60_000);
  expect((await certificate(user_id)).status).toBe(200);
  expect((await certificate(user_id, key)).status).toBe(404);
  const holders: string[] = [];
  for await (const raw of scanAllItems(service)) if (itemText(raw).includes(user_id)) holders.push(raw.item.pk);
  expect(holders).toEqual([]);
});

test("access to provider accounts is revoked, even if the token has to be refreshed first", {
  tags: "deep",
}, async () => {
  const user_id = await service.createUser("consenting");
  for (const provider of ["oura", "whoop_v2"]) await connectAccount(service, user_id, "ada", provider);
  await remove(user_id);
  await service.advance(7 * DAY_MS + 60_000);
  for (const slug of ["oura", "whoop_v2"]) {
    expect(revocations(slug).map(({ status }) => Math.floor(status / 100))).toEqual([2]);
  }
  expect((await certificate(user_id)).body.consents).toEqual({ ...none, given_back: 2 });
});

test("a failed revocation is retried, and delays an erasure only for hours", { tags: "deep" }, async () => {
  const user_id = await service.createUser("stranded");
  for (const provider of ["oura", "whoop_v2"]) await connectAccount(service, user_id, "bea", provider);
  const before = revocations("oura").length;
  await remove(user_id);
  await service.advance(6 * DAY_MS);
  service.started.service.providers.provider("whoop_v2").setSwitches({ rate_limited: 10_000 });
  await service.advance(DAY_MS + 60_000);
  expect((await certificate(user_id)).status).toBe(404);
  await service.advance(DAY_MS / 4);
  service.started.service.providers.provider("whoop_v2").setSwitches({ rate_limited: 0 });
  expect((await certificate(user_id)).body.consents).toEqual({ ...none, given_back: 1, failed: 1 });
  // A provider with a successful revocation gets no second request when another provider fails.
  expect(revocations("oura")).toHaveLength(before + 1);
});

test("an interrupted erasure resumes, and its certificate covers the whole inventory", { tags: "deep" }, async () => {
  const user_id = await service.createUser("interrupted");
  await ingestBatch(service, user_id, { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 61 }] });
  await remove(user_id);
  // After the samples, which are deleted first, during the search for streams.
  const broken = { service: "s3", function: findFunctionName(service, "eraseUser"), mode: "fail_before" } as const;
  service.cloud.faults.add({ ...broken, at_call: 7, every_attempt: true });
  await service.advance(7 * DAY_MS + 5_000);
  expect((await certificate(user_id)).status).toBe(404);
  await service.advance(60_000);
  service.cloud.faults.clear();
  const { stores, scan } = (await certificate(user_id)).body;
  expect([stores.chunks, scan.found]).toEqual([1, 0]);
});

test("a user in a restored backup is erased again, and no other user", { tags: "deep" }, async () => {
  const having = { payor_code: await createPayor(service), order: true, report: false };
  const { user_id, canaries } = await createCanaryUser(service, "restored", having);
  const other = await createCanaryUser(service, "not restored", { ...having, order: false });
  await service.settle();
  const isList = ({ item }: RawItem) => item.pk.startsWith("erasure#");
  const backup = (await Array.fromAsync(scanAllItems(service))).filter((raw) => !isList(raw));
  await remove(user_id);
  await service.advance(7 * DAY_MS + 60_000);
  const before = (await certificate(user_id)).body;
  await restoreItems(service, backup);
  expect((await service.call("GET", `/v2/user/${user_id}`)).status).toBe(200);
  const wanted = new Set([user_id, ...canaries]);
  const found = async () => {
    const all = await Array.fromAsync(scanAllItems(service));
    return all.filter((raw) => findValues(itemText(raw), wanted).length > 0).map(({ item }) => item.pk.split("#")[0]);
  };
  expect((await found()).length).toBeGreaterThan(20);
  const { erased, items } = await reapplyErasures(service);
  expect([erased, items > 15]).toEqual([1, true]);
  // A link token is valid for an hour and expires by itself.
  expect((await found()).filter((kind) => !/^(link_token|sign_in)$/.test(kind ?? ""))).toEqual([]);
  expect((await service.call("GET", `/v2/user/${user_id}`)).status).toBe(404);
  expect((await service.call("GET", `/v2/user/${other.user_id}`)).status).toBe(200);
  expect((await service.call("GET", `/v2/user/${other.user_id}/info/latest`)).status).toBe(200);
  expect((await certificate(user_id)).body).toEqual(before);
  expect((await reapplyErasures(service)).erased).toBe(0);
});

const USERS = chooseCount(6, 12);
test("a drill with failing calls leaves nothing of the erased users and loses nothing of the others", {
  timeout: 480_000,
}, async () => {
  // This test stops the service, so it is the last one.
  isOver = true;
  const report = await runErasureDrill(service, { users: USERS, erased: 2, seed: 7 });
  expect(report.before).toBeGreaterThan(40);
  expect(report.struck).toBeGreaterThan(10);
  expect(report).toMatchObject({ certificates: 2, items: 0, files: [], collateral: [], logged: 2 });
  expect(report.othersInFiles).toBe(USERS - 2);
  expect(report.othersItems).toBeGreaterThan(8 * USERS);
});
