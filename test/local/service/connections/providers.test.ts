import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { supportedResources } from "../../../../lib/domain/connections/providers/provider-resources.ts";
import { providers } from "../../../../lib/domain/connections/providers/providers.ts";
import { dataResourceNames } from "../../../../lib/events/catalogue/catalogue.ts";
import { TestService } from "../../../support/service.ts";
import { createLinkToken, grantConsent, openAuthorizationUrl, openCallback, setPullDays } from "./link-helpers.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const list = async (query = "") => (await service.call("GET", `/v2/providers${query}`)).body;
const slugs = (answer: { slug: string }[]) => answer.map(({ slug }) => slug);

test("every provider is listed with name, slug, description and logo [providers-01] [provider-fields-01] [provider-fields-04]", async () => {
  const answer = await list();
  expect(slugs(answer)).toEqual(slugs([...providers]));
  for (const { name, description, logo } of answer) {
    expect([name, description, logo]).toEqual(Array(3).fill(expect.stringMatching(/./)));
  }
});

test("auth_type is a value of the open enum or null [provider-fields-02]", async () => {
  const known = ["oauth", "team_oauth", "sdk", "password", "email", "app", null];
  const found = new Set((await list()).map(({ auth_type }: { auth_type: string | null }) => auth_type));
  expect(found.size).toBeGreaterThan(3);
  expect(known).toEqual(expect.arrayContaining([...found]));
});

test("supported_resources are names of events, without duplicates [provider-fields-03]", async () => {
  const known = new Set<string>([...dataResourceNames, "connection", "device", "sleep_stream"]);
  for (const { slug, supported_resources } of await list()) {
    expect([slug, supported_resources.filter((name: string) => !known.has(name))]).toEqual([slug, []]);
    expect(new Set(supported_resources).size).toBe(supported_resources.length);
    expect(supported_resources.length).toBeGreaterThan(1);
  }
});

test("source_type filters the providers [providers-02]", async () => {
  const bluetooth = slugs(await list("?source_type=ble"));
  expect(bluetooth.every((slug) => slug.endsWith("_ble")) && bluetooth.length > 0).toBe(true);
  expect(slugs(await list("?source_type=app"))).toContain("apple_health_kit");
  expect(await list("?source_type=unheard_of")).toEqual([]);
  expect((await list("?source_type=")).length).toBe(providers.length);
});

test("a logo is an image that the service draws itself", async () => {
  const [{ logo }] = await list();
  const answer = await fetch(logo);
  expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/svg+xml"]);
  expect(await answer.text()).toMatch(/^<svg .*<title>Oura<\/title>.*<\/svg>$/);
  expect((await service.call("GET", "/logos/nobody.svg", { key: null })).status).toBe(404);
  expect((await service.call("GET", "/logos/oura.png", { key: null })).status).toBe(404);
});

test("a connection is listed with its resources, and disappears when it ends, but its data stays", async () => {
  const user = await service.createUser("connected");
  const connections = async () => (await service.call("GET", `/v2/user/providers/${user}`)).body.providers;
  expect(await connections()).toEqual([]);
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id: user, provider: "freestyle_libre" } });
  await service.settle();
  const provider = providers.find(({ slug }) => slug === "freestyle_libre")!;
  const resources = supportedResources(provider);
  expect(await connections()).toEqual([
    {
      name: "Freestyle Libre",
      slug: "freestyle_libre",
      logo: expect.stringMatching(/freestyle_libre\.svg$/),
      created_on: expect.stringMatching(/^\d{4}-/),
      status: "connected",
      external_user_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      error_details: null,
      staleness: null,
      resource_availability: Object.fromEntries(
        resources.map((name) => [name, { status: "available", scope_requirements: null }]),
      ),
    },
  ]);
  const glucose = () => service.call("GET", `/v2/timeseries/${user}/glucose/grouped?start_date=2000-01-01`);
  const before = (await glucose()).body;
  expect(before.groups.freestyle_libre.length).toBeGreaterThan(0);
  const end = () => service.call("DELETE", `/v2/user/${user}/freestyle_libre`);
  expect((await end()).body).toEqual({ success: true });
  expect(await connections()).toEqual([]);
  expect((await glucose()).body).toEqual(before);
  expect([(await end()).status, (await end()).body.code]).toEqual([404, "not_found"]);
});

test("a resource whose scope the user denied is unavailable, until a connection grants it", async () => {
  await setPullDays(service, 0);
  const user = await service.createUser("denies");
  const connect = async (without: string) => {
    const { link_token } = await createLinkToken(service, user);
    const callback = await grantConsent(await openAuthorizationUrl(service, link_token), {
      account: "denies",
      without,
    });
    expect((await openCallback(callback)).outcome).toMatchObject({ state: "success" });
    const [{ resource_availability }] = (await service.call("GET", `/v2/user/providers/${user}`)).body.providers;
    return resource_availability;
  };
  const none = { required: [], optional: [] };
  const granted = (scope: string) => ({
    status: "available",
    scope_requirements: { user_granted: { required: [scope], optional: [] }, user_denied: none },
  });
  const denied = (scope: string) => ({
    status: "unavailable",
    scope_requirements: { user_granted: none, user_denied: { required: [scope], optional: [] } },
  });
  const first = await connect("spo2,workout");
  expect(first).toMatchObject({ workouts: denied("workout"), blood_oxygen: denied("spo2"), sleep: granted("daily") });
  expect(await connect("")).toEqual({ ...first, workouts: granted("workout"), blood_oxygen: granted("spo2") });
  const events = (await service.inbox("provider.connection.created")).filter(({ body }) => body.user_id === user);
  expect(events.map(({ body }) => body.data.resource_availability.workouts)).toEqual([
    denied("workout"),
    granted("workout"),
  ]);
});

test("connections have the order in which they were made, in every answer", { tags: "deep" }, async () => {
  const user = await service.createUser("of several connections");
  const made = ["oura", "freestyle_libre", "apple_health_kit", "fitbit"];
  for (const provider of made) {
    await service.call("POST", "/v2/link/connect/demo", { body: { user_id: user, provider } });
  }
  type Connected = { source: { slug: string } };
  for (let read = 0; read < 5; read++) {
    expect(slugs((await service.call("GET", `/v2/user/providers/${user}`)).body.providers)).toEqual(made);
    const { connected_sources } = (await service.call("GET", `/v2/user/${user}`)).body;
    expect(connected_sources.map(({ source }: Connected) => source.slug)).toEqual(made);
  }
});

test("ending an unknown connection is refused with the reason", async () => {
  expect((await service.call("DELETE", `/v2/user/${randomUUID()}/oura`)).body.code).toBe("user_not_found");
  const user = await service.createUser("to be refused");
  expect((await service.call("DELETE", `/v2/user/${user}/unheard_of`)).status).toBe(422);
  const { key } = await service.createTeam("Foreign");
  expect((await service.call("GET", `/v2/user/providers/${user}`, { key })).body.code).toBe("user_not_found");
});
