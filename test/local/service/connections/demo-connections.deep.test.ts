// @module-tag deep
import { randomUUID } from "node:crypto";
import { ScanCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { directoryTable } from "../../../../lib/contract/resources.ts";
import { openTable } from "../../../../lib/runtime/aws/aws.ts";
import { TestService } from "../../../support/service.ts";
import { createEngineClient, findItemsContaining } from "../support/stored-items.ts";
import { connectAccount, setPullDays } from "./link-helpers.ts";
import { pickTruthFields } from "./match-truth.ts";

const DAY_MS = 86_400_000;

let service: TestService;
/** Creates a demo user for each provider. */
const users = new Map<string, string>();
beforeAll(async () => {
  service = await TestService.start();
  for (const provider of ["oura", "fitbit", "apple_health_kit"]) {
    users.set(provider, await service.createUser(`demo of ${provider}`));
    expect(await demo(provider)).toMatchObject({ status: 200, body: { success: true } });
    await service.settle();
  }
  // A history completes in a later run if its data was not stored at the first.
  await service.advance(5 * 60_000);
}, 240_000);
afterAll(() => service.stop());

const userOf = (provider: string) => users.get(provider) ?? "";
const demo = (provider: string, user_id = userOf(provider)) =>
  service.call("POST", "/v2/link/connect/demo", { body: { user_id, provider } });
const dateOf = (daysAgo: number) => new Date(service.cloud.clock.now() - daysAgo * DAY_MS).toISOString().slice(0, 10);
/** HTTP requests to the simulators, which only real connections send. */
const requests = () => service.started.service.providers.requests.length;
const read = async (path: string) => (await service.call("GET", path)).body;
const eventsOf = async (userId: string) =>
  (await service.inbox()).map(({ body }) => body).filter(({ user_id }) => user_id === userId);

/** Reads the stored credentials of a user's connection. */
async function credentialsOf(userId: string, provider: string): Promise<Record<string, unknown> | undefined> {
  const client = createEngineClient(service);
  const filter = { ":user": userId, ":provider": provider };
  const FilterExpression = "user_id = :user AND provider = :provider AND attribute_exists(sealed)";
  const scan = { TableName: openTable(directoryTable).name, FilterExpression, ExpressionAttributeValues: filter };
  const { Items = [] } = await client.send(new ScanCommand(scan));
  client.destroy();
  return Items[0];
}

describe.each([
  { provider: "oura", summaries: { activity: "calendar_date", sleep: "calendar_date", workouts: "provider_id" } },
  { provider: "fitbit", summaries: { activity: "calendar_date", sleep: "calendar_date", body: "calendar_date" } },
])("a demo connection to $provider", ({ provider, summaries }) => {
  /** Returns the records that the simulated provider has between two dates. */
  const truthOf = (from: string, to: string) =>
    service.started.service.providers
      .provider(provider)
      .expectedRecords(userOf(provider), Date.parse(from) + DAY_MS / 2, Date.parse(to) + DAY_MS / 2);

  test.each(Object.entries(summaries))("has the %s of 30 days that its simulator has measured", async (name, key) => {
    const [from, to] = [dateOf(29), dateOf(1)];
    const truth = truthOf(from, to)[name] ?? [];
    expect(truth.length).toBeGreaterThan(name === "workouts" ? 5 : 27);
    const stored = (await read(`/v2/summary/${name}/${userOf(provider)}?start_date=${from}&end_date=${to}`))[name];
    expect(pickTruthFields(stored, truth, key)).toEqual(pickTruthFields(truth, truth, key));
  });

  test("is pulled like any other: each history succeeds and sends one event", async () => {
    const { data } = await read(`/v2/introspect/historical_pull?user_id=${userOf(provider)}`);
    const { pulled, not_pulled } = data[0].provider[provider];
    const statuses = Object.entries<{ status: string }>(pulled).map(([name, { status }]) => [name, status]);
    expect(not_pulled).toEqual([]);
    expect(statuses).toEqual(Object.keys(pulled).map((name) => [name, "success"]));
    const types = (await eventsOf(userOf(provider))).map(({ event_type }) => event_type);
    for (const name of Object.keys(summaries)) {
      expect(types.filter((type) => type === `historical.data.${name}.created`)).toHaveLength(1);
    }
  });

  test("sends no request to the outside, and stores its tokens sealed", async () => {
    expect(requests()).toBe(0);
    const kept = await credentialsOf(userOf(provider), provider);
    expect(kept).toMatchObject({ demo: true, client_id: "tributary-local", access_ends_at: expect.any(String) });
    // Prefix of every token of the simulators.
    expect(JSON.stringify(kept)).not.toContain(Buffer.from('{"slug":"').toString("base64url"));
  });
});

test("a demo connection to oura has every heart rate of 30 days that its simulator has measured", async () => {
  const [from, to] = [dateOf(29), dateOf(1)];
  const simulator = service.started.service.providers.provider("oura");
  const { heartrate = [] } = simulator.expectedRecords(userOf("oura"), Date.parse(from), Date.parse(to) + DAY_MS);
  const ofDays = heartrate.filter(({ timestamp }) => from <= String(timestamp) && String(timestamp) < dateOf(0));
  const stored: { timestamp: string }[] = [];
  let cursor = "";
  do {
    const dates = `start_date=${from}&end_date=${to}${cursor && `&next_cursor=${cursor}`}`;
    const page = await read(`/v2/timeseries/${userOf("oura")}/heartrate/grouped?${dates}`);
    for (const { data } of page.groups.oura) stored.push(...data);
    cursor = page.next_cursor ?? "";
  } while (cursor);
  expect(ofDays).toHaveLength(29 * 288);
  expect(pickTruthFields(stored, ofDays, "timestamp")).toEqual(pickTruthFields(ofDays, ofDays, "timestamp"));
});

test("a simulated phone sends its data in parts, and sends one history event for each of its sources", async () => {
  const user_id = userOf("apple_health_kit");
  const histories = (await eventsOf(user_id)).filter(
    ({ event_type }) => event_type === "historical.data.steps.created",
  );
  expect(histories).toHaveLength(2);
  const parts = (await findItemsContaining(service, user_id)).filter((item) => / sync#/.test(item));
  expect(parts.length).toBeGreaterThan(3);
});

test("an existing demo connection is neither created again nor sent as an event", async () => {
  const before = await read(`/v2/user/providers/${userOf("oura")}`);
  expect((await demo("oura")).status).toBe(200);
  expect(await read(`/v2/user/providers/${userOf("oura")}`)).toEqual(before);
  const made = (await eventsOf(userOf("oura"))).filter(
    ({ event_type }) => event_type === "provider.connection.created",
  );
  expect(made).toHaveLength(1);
});

test("a demo connection is refused for an unknown user and for a user with a real connection", async () => {
  expect((await demo("oura", randomUUID())).body.code).toBe("user_not_found");
  const user_id = await service.createUser("real");
  await setPullDays(service, 2, "oura");
  await connectAccount(service, user_id, "ada", "oura");
  for (const provider of ["oura", "fitbit", "freestyle_libre", "apple_health_kit"]) {
    expect((await demo(provider, user_id)).status).toBe(400);
  }
  await service.settle();
  expect(await credentialsOf(user_id, "oura")).not.toHaveProperty("demo");
  expect(requests()).toBeGreaterThan(5);
});

test("access is refreshed days later, and a pull stores new data", async () => {
  await service.call("DELETE", `/v2/user/${(await read("/v2/user/resolve/real")).user_id}`);
  const asked = requests();
  await service.advance(2 * DAY_MS);
  const answer = await service.call("POST", `/v2/user/refresh/${userOf("oura")}`);
  expect(answer).toMatchObject({ status: 200, body: { refreshed_sources: ["oura"], failed_sources: [] } });
  await service.settle();
  const { groups } = await read(`/v2/timeseries/${userOf("oura")}/heartrate/grouped?start_date=${dateOf(0)}`);
  const newest = Math.max(...groups.oura[0].data.map(({ timestamp }: { timestamp: string }) => Date.parse(timestamp)));
  expect(service.cloud.clock.now() - newest).toBeLessThan(10 * 60_000);
  expect((await credentialsOf(userOf("oura"), "oura"))?.version).toBeGreaterThan(1);
  expect(requests()).toBe(asked);
});

test("ending a demo connection deletes its tokens, and it can be created again", async () => {
  const user_id = userOf("fitbit");
  const end = () => service.call("DELETE", `/v2/user/${user_id}/fitbit`);
  expect((await end()).body).toEqual({ success: true });
  expect(await credentialsOf(user_id, "fitbit")).toBeUndefined();
  expect((await demo("fitbit")).status).toBe(200);
  await service.settle();
  expect(await credentialsOf(user_id, "fitbit")).toMatchObject({ demo: true, version: 1 });
  const { data } = await read(`/v2/introspect/historical_pull?user_id=${user_id}`);
  expect(data[0].provider.fitbit.pulled.sleep.status).toBe("success");
});

test("a real connection that replaces a demo connection pulls from the real provider", async () => {
  const user_id = await service.createUser("replaced");
  await setPullDays(service, 2, "fitbit");
  await demo("fitbit", user_id);
  const asked = requests();
  await connectAccount(service, user_id, "grace", "fitbit");
  await service.settle();
  expect(await credentialsOf(user_id, "fitbit")).not.toHaveProperty("demo");
  expect(requests()).toBeGreaterThan(asked + 5);
});

test("erasing a user leaves no data of its demo connection", async () => {
  for (const user_id of users.values()) await service.call("DELETE", `/v2/user/${user_id}`);
  await service.advance(7 * DAY_MS + 1_000);
  for (const user_id of users.values()) expect(await findItemsContaining(service, user_id)).toEqual([]);
  // A simulated provider receives a revocation too.
  const certificate = (await read(`/v2/user/erasure/${userOf("oura")}`)).consents;
  expect(certificate).toMatchObject({ given_back: 1, ended_before: 0, failed: 0 });
});
