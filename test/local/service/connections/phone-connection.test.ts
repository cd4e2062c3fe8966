import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const connect = (provider: string, body: unknown, key?: string) =>
  service.call("POST", `/v2/link/provider/manual/${provider}`, { body, ...(key ? { key } : {}) });
const connectionsOf = async (userId: string): Promise<Answer["body"]> =>
  (await service.call("GET", `/v2/user/providers/${userId}`)).body.providers;
const publishedEvents = async (userId: string): Promise<Answer["body"][]> =>
  (await service.inbox("provider.connection.created")).map(({ body }) => body).filter((one) => one.user_id === userId);
const rejectDuplicates = async (reject_duplicate_connection: boolean) => {
  const { org_id, team_id } = service.identity;
  await service.manage("PATCH", `/v1/org/${org_id}/team/${team_id}`, {
    body: { sandbox: { reject_duplicate_connection } },
  });
  await service.advance(61_000);
};

describe("a provider on the phone", () => {
  test.each(["apple_health_kit", "health_connect", "omron_ble", "manual"])("%s is connected once", async (slug) => {
    const user_id = await service.createUser(`with ${slug}`);
    const answers = await Promise.all([1, 2, 3].map(() => connect(slug, { user_id, provider_id: null })));
    expect(answers.map(({ status, body }) => [status, body])).toEqual(Array(3).fill([200, { success: true }]));
    expect(await connectionsOf(user_id)).toMatchObject([{ slug, status: "connected" }]);
    expect(await publishedEvents(user_id)).toMatchObject([{ data: { provider: { slug } } }]);
  });

  test("keeps its account unless the request names another one", async () => {
    const user_id = await service.createUser("with accounts");
    await connect("omron_ble", { user_id, provider_id: "cuff 1" });
    await connect("omron_ble", { user_id });
    expect(await connectionsOf(user_id)).toMatchObject([{ external_user_id: "cuff 1" }]);
    await connect("omron_ble", { user_id, provider_id: "cuff 2" });
    expect(await connectionsOf(user_id)).toMatchObject([{ external_user_id: "cuff 2" }]);
    expect(await publishedEvents(user_id)).toHaveLength(2);
  });

  test("with an account of another user is refused if the team rejects duplicates", { tags: "deep" }, async () => {
    const [one, two] = [await service.createUser("first owner"), await service.createUser("second owner")];
    const provider_id = "a shared meter";
    expect((await connect("contour_ble", { user_id: one, provider_id })).status).toBe(200);
    await rejectDuplicates(true);
    const { status, body } = await connect("contour_ble", { user_id: two, provider_id });
    expect([status, body.code, body.detail.error_type]).toEqual([400, "link_refused", "duplicate_connection"]);
    expect(await connectionsOf(two)).toEqual([]);
    // After the first user gives it up, the account is free.
    expect((await connect("contour_ble", { user_id: one, provider_id: "a new meter" })).status).toBe(200);
    expect((await connect("contour_ble", { user_id: two, provider_id })).status).toBe(200);
    await rejectDuplicates(false);
    expect((await connect("contour_ble", { user_id: one, provider_id })).status).toBe(200);
  });

  test("ends, and can be connected again", async () => {
    const user_id = await service.createUser("who comes back");
    await connect("health_connect", { user_id, provider_id: "phone" });
    expect((await service.call("DELETE", `/v2/user/${user_id}/health_connect`)).status).toBe(200);
    expect(await connectionsOf(user_id)).toEqual([]);
    await connect("health_connect", { user_id, provider_id: "phone" });
    expect(await connectionsOf(user_id)).toMatchObject([{ slug: "health_connect", status: "connected" }]);
  });

  test("replaces a demo connection", { tags: "deep" }, async () => {
    const user_id = await service.createUser("out of the demo");
    await service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider: "apple_health_kit" } });
    await connect("apple_health_kit", { user_id });
    expect(await publishedEvents(user_id)).toHaveLength(2);
    const again = { body: { user_id, provider: "apple_health_kit" } };
    expect((await service.call("POST", "/v2/link/connect/demo", again)).status).toBe(400);
  });
});

describe("a request to connect a provider on the phone is refused", () => {
  test.each(["oura", "whoop", "freestyle_libre", "nobody"])("with 422 for %s", async (slug) => {
    const { status, body } = await connect(slug, { user_id: randomUUID() });
    expect([status, body.code, body.detail[0].loc]).toEqual([422, "validation_failed", ["path", "provider"]]);
  });

  test.each([[{}], [{ user_id: "ada" }], [{ user_id: randomUUID(), provider_id: " " }]])(
    "with 422 for the body %j",
    async (body) => {
      expect((await connect("manual", body)).status).toBe(422);
    },
  );

  test("with 404 for a user who is unknown, of another team, or deleted", async () => {
    const { key } = await service.createTeam("another");
    const deleted = await service.createUser("who left");
    await service.call("DELETE", `/v2/user/${deleted}`);
    for (const user_id of [randomUUID(), await service.createUser("of another", key), deleted]) {
      const { status, body } = await connect("manual", { user_id });
      expect([status, body.code]).toEqual([404, "user_not_found"]);
    }
  });

  test("with 401 for a link token", async () => {
    const user_id = await service.createUser("with a link");
    const { link_token } = (await service.call("POST", "/v2/link/token", { body: { user_id } })).body;
    const headers = { "x-service-link-token": link_token };
    const path = "/v2/link/provider/manual/manual";
    expect((await service.call("POST", path, { key: null, headers, body: { user_id } })).status).toBe(401);
  });
});
