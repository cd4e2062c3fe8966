import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { SimulatedPhone } from "./simulated-phone.ts";

const HOUR_MS = 3_600_000;
const always = { offset: "+02:00", isSilent: () => false };

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

let syncs = 0;
const createPhone = async (name: string) => {
  const userId = await service.createUser(name);
  const phone = new SimulatedPhone(service, userId, "health_connect", always);
  const sync = async () => {
    await phone.sync(++syncs, 0);
    await service.settle();
  };
  await sync();
  return { userId, phone, sync };
};
const publishedTypes = async (userId: string): Promise<string[]> => {
  const all = [
    ...(await service.inbox("provider.connection.stale")),
    ...(await service.inbox("provider.connection.recovered")),
  ];
  return all
    .map(({ body }) => body)
    .filter((body) => body.user_id === userId)
    .map(({ event_type }) => event_type.split(".")[2]);
};
const stalenessOf = async (userId: string) =>
  (await service.call("GET", `/v2/user/providers/${userId}`)).body.providers[0].staleness;
const list = async (query = "", key?: string) =>
  (await service.call("GET", `/v2/introspect/stale_connections${query}`, key ? { key } : {})).body;
const listedUsers = async (): Promise<string[]> =>
  (await list()).connections.map(({ user_id }: { user_id: string }) => user_id);

describe("a phone that falls silent", () => {
  test("is stale after its rhythm and not before, and recovers with its next sync; each is published once", {
    tags: "deep",
  }, async () => {
    const { userId, sync } = await createPhone("silent and back");
    await service.advance(71 * HOUR_MS);
    expect(await stalenessOf(userId)).toBeNull();
    await service.advance(2 * HOUR_MS);
    const staleness = await stalenessOf(userId);
    expect(staleness).toMatchObject({ reason: "silent", resources: [] });
    expect(Date.parse(staleness.stale_since) - Date.parse(staleness.last_data_at)).toBeLessThan(72 * HOUR_MS + 120_000);
    expect((await list()).connections).toMatchObject([
      { user_id: userId, client_user_id: "silent and back", provider: "health_connect", reason: "silent" },
    ]);
    await service.advance(100 * HOUR_MS);
    expect(await publishedTypes(userId)).toEqual(["stale"]);
    await sync();
    await sync();
    expect(await publishedTypes(userId)).toEqual(["stale", "recovered"]);
    expect(await stalenessOf(userId)).toBeNull();
    expect(await listedUsers()).not.toContain(userId);
    await service.advance(73 * HOUR_MS);
    expect((await publishedTypes(userId)).toSorted()).toEqual(["recovered", "stale", "stale"]);
  });

  test("that its user disconnects leaves the list without a recovery, and is not stale again", {
    tags: "deep",
  }, async () => {
    const { userId, phone } = await createPhone("silent and gone");
    await service.advance(73 * HOUR_MS);
    expect(await listedUsers()).toContain(userId);
    await phone.disconnect();
    expect(await listedUsers()).not.toContain(userId);
    await service.advance(200 * HOUR_MS);
    expect(await publishedTypes(userId)).toEqual(["stale"]);
  });

  test("of a user whose deletion is pending, or whose ingestion has ended, is not stale", {
    tags: "deep",
  }, async () => {
    const deleted = await createPhone("leaving");
    await service.call("DELETE", `/v2/user/${deleted.userId}`);
    const ended = await createPhone("whose study ended");
    const ingestion_end = new Date(service.cloud.clock.now() - 20 * 24 * HOUR_MS).toISOString().slice(0, 10);
    await service.call("PATCH", `/v2/user/${ended.userId}`, { body: { ingestion_end } });
    await service.advance(80 * HOUR_MS);
    for (const { userId } of [deleted, ended]) expect(await publishedTypes(userId)).toEqual([]);
    const listed = await listedUsers();
    expect([deleted, ended].filter(({ userId }) => listed.includes(userId))).toEqual([]);
  });
});

describe("the list of stale connections", () => {
  test("is of one team, in pages, the longest stale first", { tags: "deep" }, async () => {
    const { key } = await service.createTeam("elsewhere");
    const phones = [];
    for (const name of ["first", "second", "third"]) {
      phones.push(await createPhone(`${name} to fall silent`));
      await service.advance(HOUR_MS);
    }
    await service.advance(75 * HOUR_MS);
    expect(await list("", key)).toEqual({ connections: [], next_cursor: null });
    const found: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(`?limit=2${cursor && `&next_cursor=${cursor}`}`);
      expect(page.connections.length).toBeLessThanOrEqual(2);
      found.push(...page.connections.map(({ user_id }: { user_id: string }) => user_id));
      cursor = page.next_cursor;
    }
    expect(found.slice(-3)).toEqual(phones.map(({ userId }) => userId));
    expect(new Set(found).size).toBe(found.length);
    const bad = await service.call("GET", "/v2/introspect/stale_connections?next_cursor=bad");
    expect([bad.status, bad.body.code]).toEqual([422, "validation_failed"]);
  });
});
