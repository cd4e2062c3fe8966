import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
}

let syncs = 0;
const signIn = async (userId: string): Promise<Tokens> => {
  const { sign_in_token } = (await service.call("POST", `/v2/user/${userId}/sign_in_token`)).body;
  return (await service.call("POST", "/v2/sdk/session", { key: null, body: { sign_in_token } })).body;
};
const refresh = (refresh_token: string) =>
  service.call("POST", "/v2/sdk/session/refresh", { key: null, body: { refresh_token } });
const sync = ({ access_token }: Tokens, provider = "apple_health_kit", sync_id = `sync ${++syncs}`) => {
  const headers = { authorization: `Bearer ${access_token}` };
  const source_type = provider.endsWith("_ble") ? "cuff" : "phone";
  const resources = provider.endsWith("_ble") ? {} : { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] };
  const body = { provider, source_type, stage: "daily", sync_id, part: 0, done: true, resources };
  return service.call("POST", "/v2/sdk/sync", { key: null, headers, body });
};
const disconnect = (userId: string, provider: string) => service.call("DELETE", `/v2/user/${userId}/${provider}`);
const slugsOf = async (userId: string): Promise<string[]> =>
  (await service.call("GET", `/v2/user/providers/${userId}`)).body.providers.map(({ slug }: { slug: string }) => slug);
const publishedSlugs = async (userId: string): Promise<string[]> =>
  (await service.inbox("provider.connection.created"))
    .map(({ body }) => body)
    .filter((one) => one.user_id === userId)
    .map(({ data }) => data.provider.slug);
const outcomeOf = ({ status, body }: Answer) => [status, body.code];
const ENDED = [403, "connection_ended"];

describe("a phone that synchronises", () => {
  test("is connected once, whatever the number of its syncs", async () => {
    const userId = await service.createUser("with a phone");
    const phone = await signIn(userId);
    expect(await slugsOf(userId)).toEqual([]);
    const answers = await Promise.all([1, 2, 3].map(() => sync(phone)));
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
    await sync(phone);
    expect(await slugsOf(userId)).toEqual(["apple_health_kit"]);
    expect(await publishedSlugs(userId)).toEqual(["apple_health_kit"]);
    const { connected_sources } = (await service.call("GET", `/v2/user/${userId}`)).body;
    expect(connected_sources).toMatchObject([{ source: { slug: "apple_health_kit" } }]);
  });

  test("keeps the connection that the team made before, and sends no second event", async () => {
    const user_id = await service.createUser("connected by the team");
    await service.call("POST", "/v2/link/provider/manual/apple_health_kit", { body: { user_id, provider_id: "me" } });
    await sync(await signIn(user_id));
    const { providers } = (await service.call("GET", `/v2/user/providers/${user_id}`)).body;
    expect(providers).toMatchObject([{ slug: "apple_health_kit", external_user_id: "me" }]);
    expect(await publishedSlugs(user_id)).toHaveLength(1);
  });

  test("is one of two phones of a user: two of one kind share a connection, another kind has its own", async () => {
    const userId = await service.createUser("with two phones");
    const [one, two] = [await signIn(userId), await signIn(userId)];
    await sync(one, "apple_health_kit");
    await sync(two, "apple_health_kit");
    await sync(two, "health_connect");
    expect((await slugsOf(userId)).toSorted()).toEqual(["apple_health_kit", "health_connect"]);
    expect((await publishedSlugs(userId)).toSorted()).toEqual(["apple_health_kit", "health_connect"]);
  });
});

describe("a disconnected phone", () => {
  test("sends nothing more, not even a part again, and its session ends", async () => {
    const userId = await service.createUser("who disconnects");
    const phones = [await signIn(userId), await signIn(userId)];
    await sync(phones[0]!, "apple_health_kit", "again");
    expect((await disconnect(userId, "apple_health_kit")).status).toBe(200);
    expect(await slugsOf(userId)).toEqual([]);
    for (const phone of phones) {
      expect(outcomeOf(await sync(phone, "apple_health_kit", "again"))).toEqual(ENDED);
      expect(outcomeOf(await refresh(phone.refresh_token))).toEqual(ENDED);
    }
    expect(await slugsOf(userId)).toEqual([]);
    expect(outcomeOf(await disconnect(userId, "apple_health_kit"))).toEqual([404, "not_found"]);
  });

  test("is connected again by a new sign-in, with an event, and its old session stays ended", async () => {
    const userId = await service.createUser("who comes back by phone");
    const before = await signIn(userId);
    await sync(before);
    await disconnect(userId, "apple_health_kit");
    await service.advance(1_000);
    const after = await signIn(userId);
    expect((await sync(after)).status).toBe(202);
    expect(await publishedSlugs(userId)).toEqual(["apple_health_kit", "apple_health_kit"]);
    expect(outcomeOf(await sync(before))).toEqual(ENDED);
    expect((await refresh(after.refresh_token)).status).toBe(200);
  });

  test("still sends its other providers, until the last of them is disconnected", async () => {
    const userId = await service.createUser("with a cuff");
    const phone = await signIn(userId);
    await sync(phone, "apple_health_kit");
    await sync(phone, "omron_ble");
    await disconnect(userId, "omron_ble");
    expect(outcomeOf(await sync(phone, "omron_ble"))).toEqual(ENDED);
    expect((await sync(phone, "apple_health_kit")).status).toBe(202);
    await disconnect(userId, "apple_health_kit");
    expect(outcomeOf(await sync(phone, "health_connect"))).toEqual(ENDED);
    expect(await slugsOf(userId)).toEqual([]);
  });

  test("does not come back while it synchronises at the same time", { tags: "deep" }, async () => {
    const userId = await service.createUser("in a race");
    const phone = await signIn(userId);
    await sync(phone);
    const all = await Promise.all([
      ...[1, 2, 3, 4].map(() => sync(phone)),
      disconnect(userId, "apple_health_kit"),
      ...[1, 2, 3, 4].map(() => sync(phone)),
    ]);
    expect(all[4]?.status).toBe(200);
    expect(await slugsOf(userId)).toEqual([]);
    expect(await publishedSlugs(userId)).toHaveLength(1);
  });

  test("stays disconnected after an undo of the deletion of its user, also with a provider that it had not sent yet", async () => {
    const userId = await service.createUser("who comes back from a deletion");
    const [one, other] = [await signIn(userId), await signIn(userId)];
    await sync(one);
    await service.settle();
    await service.call("DELETE", `/v2/user/${userId}`);
    expect(outcomeOf(await sync(one))).toEqual([404, "user_not_found"]);
    expect((await service.call("POST", `/v2/user/undo_delete?user_id=${userId}`)).status).toBe(200);
    for (const phone of [one, other]) {
      for (const provider of ["apple_health_kit", "health_connect", "omron_ble"])
        expect(outcomeOf(await sync(phone, provider))).toEqual(ENDED);
      expect(outcomeOf(await refresh(phone.refresh_token))).toEqual(ENDED);
    }
    expect(await slugsOf(userId)).toEqual([]);
    await service.advance(1_000);
    expect((await sync(await signIn(userId))).status).toBe(202);
    expect(await slugsOf(userId)).toEqual(["apple_health_kit"]);
    expect(await publishedSlugs(userId)).toHaveLength(2);
  });

  test("is erased with its user: no connection, no session and no event stay", { tags: "deep" }, async () => {
    const userId = await service.createUser("who is erased");
    const phone = await signIn(userId);
    await sync(phone);
    await service.call("DELETE", `/v2/user/${userId}`);
    expect(outcomeOf(await sync(phone))).toEqual([404, "user_not_found"]);
    await service.advance(8 * 86_400_000);
    expect((await sync(phone)).status).toBe(401);
    const { body } = await service.call("GET", "/v2/events?after=0&limit=500");
    const left = body.events.filter((one: { body: unknown }) => JSON.stringify(one.body ?? "").includes(userId));
    expect(left).toEqual([]);
  });
});
