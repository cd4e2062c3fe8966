import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { pushKey } from "../../../lib/connectors/push-key.ts";
import { TestService } from "../../support/service.ts";
import { connectAccount, pullDays } from "./linking-world.ts";

const DAY_MS = 86_400_000;
const app = { clientId: "tributary-local", clientSecret: "tributary-local-secret" };
const slugs = ["withings", "whoop_v2", "strava", "dexcom_v3"] as const;
type Slug = (typeof slugs)[number];

let service: TestService;
const users = new Map<string, string>();
beforeAll(async () => {
  service = await TestService.start();
  for (const slug of slugs) {
    await pullDays(service, slug === "strava" ? 7 : 30, slug);
    users.set(slug, await service.createUser(slug));
    await connectAccount(service, users.get(slug)!, "ada", slug);
  }
  await service.settle();
  await service.advance(30 * 60_000);
}, 300_000);
afterAll(() => service.stop());

const deskOf = (slug: Slug) => service.started.service.providers.provider(slug);
const addressOf = (slug: Slug) => `${service.baseUrl}/v2/link/push/${slug}?key=${pushKey(app, slug)}`;
const dateOf = (daysAgo: number) => new Date(service.cloud.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
const told = async (slug: Slug, type: string) =>
  (await service.inbox(type)).map(({ body }) => body).filter(({ user_id }) => user_id === users.get(slug));

/** What a summary of two days ago is stored as. */
async function stored(slug: Slug, name: string) {
  const date = dateOf(2);
  const path = `/v2/summary/${name}/${users.get(slug)}?start_date=${date}&end_date=${date}`;
  return (await service.call("GET", path)).body[name][0];
}

test.each([
  ["withings", "sleep"],
  ["whoop_v2", "sleep"],
  ["strava", "workouts"],
  ["dexcom_v3", "glucose"],
] as const)("the history of %s comes, and is told of once", async (slug, name) => {
  expect(await told(slug, `historical.data.${name}.created`)).toHaveLength(1);
});

describe("a push", () => {
  test.each([
    ["withings", "44"],
    ["whoop_v2", "sleep"],
  ] as const)("of %s has what it names pulled again, so that a late revision replaces what was told", async (slug, kind) => {
    const before = await stored(slug, "sleep");
    const desk = deskOf(slug);
    if (slug === "whoop_v2") desk.setWebhook({ url: addressOf(slug) });
    desk.tokens.expireAccess();
    desk.switch({ revision: 1 });
    await desk.notify({ account: "ada", kind, date: dateOf(2), change: "update" });
    await service.settle();
    const after = await stored(slug, "sleep");
    desk.switch({ revision: 0 });
    expect(after).toMatchObject({ id: before.id, score: before.score + 1 });
  });

  test("that was altered is refused, and one about nobody does nothing", async () => {
    const body = JSON.stringify({ user_id: 1, id: "x", type: "sleep.updated" });
    expect((await fetch(addressOf("whoop_v2"), { method: "POST", body })).status).toBe(401);
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const nobody = { method: "POST", headers, body: "userid=1&startdate=1&enddate=2&appli=44" };
    expect((await fetch(addressOf("withings"), nobody)).status).toBe(200);
    expect((await fetch(`${service.baseUrl}/v2/link/push/withings`, nobody)).status).toBe(401);
    expect((await fetch(addressOf("dexcom_v3"), nobody)).status).toBe(404);
  });

  test("of a user who took access back at Strava ends the connection, and is told once", async () => {
    const form = new URLSearchParams({
      client_id: app.clientId,
      client_secret: app.clientSecret,
      callback_url: addressOf("strava"),
      verify_token: pushKey(app, "strava"),
    });
    const { origin } = service.started.service.providers;
    const made = await fetch(`${origin}/www.strava.com/api/v3/push_subscriptions`, { method: "POST", body: form });
    expect(made.status).toBe(201);
    const ended = { account: "ada", kind: "athlete", date: dateOf(1), change: "update" } as const;
    for (const _ of [1, 2]) await deskOf("strava").notify(ended);
    await service.settle();
    expect(await told("strava", "provider.connection.error")).toMatchObject([
      { data: { error_type: "deregistered_per_provider" } },
    ]);
  });

  test("of a connection whose access is over ends it, and is told once", async () => {
    deskOf("withings").tokens.revoke("ada");
    await deskOf("withings").notify({ account: "ada", kind: "44", date: dateOf(2), change: "update" });
    await service.settle();
    expect(await told("withings", "provider.connection.error")).toMatchObject([
      { data: { error_type: "token_refresh_failed" } },
    ]);
  });
});
