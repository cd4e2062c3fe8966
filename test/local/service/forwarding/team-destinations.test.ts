import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EventHubPeer } from "../../../support/peers/event-hub-peer.ts";
import type { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { GrantWatch } from "../platform/permissions/grant-watch.ts";
import { findItemsContaining } from "../support/stored-items.ts";
import { DestinationFixture, eventHubPreferences } from "./destination-fixture.ts";

const MINUTE_MS = 60_000;
const RATES = { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] };
const WEIGHT = { body_weight: [{ timestamp: "2026-05-01T08:00:00Z", value: 70 }] };

let world: DestinationFixture;
let service: TestService;
beforeAll(async () => {
  world = await DestinationFixture.start();
  service = world.service;
});
beforeEach(() => world.clear());
afterAll(() => world.stop());

test("events go to the hub of the first matcher or to the default hub, and also to webhooks [events-32] [events-33]", async () => {
  const watch = new GrantWatch(service.cloud);
  const { teamId, key } = await service.createTeam("Hub");
  expect((await world.set(teamId)).status).toBe(200);
  const userId = await service.createUser("in the hub", key);
  const { event_ids } = await ingestBatch(service, userId, { ...RATES, ...WEIGHT }, { key });
  await service.settle();
  const { body } = await service.call("GET", "/v2/events", { key });
  const bodies = new Map(body.events.map((one: { event_id: string; body: object }) => [one.event_id, one.body]));
  expect(world.hubs.records).toHaveLength(event_ids.length);
  for (const { hub: name, partitionKey, properties, data } of world.hubs.records) {
    const isWeight = properties["event-type"] === "daily.data.weight.created";
    expect([name, partitionKey]).toEqual([isWeight ? "weights" : "default", userId]);
    expect(data).toEqual(bodies.get(String(properties["idempotency-key"])));
    expect(properties).toMatchObject({ "event-type": data.event_type, "user-id": userId, "team-id": teamId });
  }
  expect((await service.manage("GET", world.path())).status).toBe(200);
  expect((await world.remove(teamId)).status).toBe(200);
  const mine = /^(forwardToTeam|\w+TeamEtlPipelines?) (?!sqs:sendmessage|dynamodb:(?:get|update)item \S+directory)/;
  expect((await watch.unused()).filter((grant) => mine.test(grant))).toEqual([]);
});

test("a team gets only its subscribed types, another team gets none, and nothing is sent after the destination is removed", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await service.createTeam("Choosy");
  await world.set(teamId, { event_type_prefixes: ["daily.data.weight."] });
  const userId = await service.createUser("choosy", key);
  await ingestBatch(service, userId, { ...RATES, ...WEIGHT }, { key });
  await ingestBatch(service, await service.createUser("of another team"), { ...RATES, ...WEIGHT });
  expect(world.hubs.records.map(({ data }) => [data.event_type, data.user_id])).toEqual([
    ["daily.data.weight.created", userId],
  ]);
  expect((await world.remove(teamId)).body).toEqual({ success: true });
  await ingestBatch(service, userId, { body_weight: [{ timestamp: "2026-05-02T08:00:00Z", value: 71 }] }, { key });
  expect(world.hubs.records).toHaveLength(1);
  expect((await world.remove(teamId)).status).toBe(404);
});

test("refused credentials create dead letters at once, with the reason", { tags: "deep" }, async () => {
  const { teamId, key } = await service.createTeam("Wrong key");
  await world.set(teamId, { azure_amqp: world.hub({ connection_string: world.hubs.connectionString("d3Jvbmc=") }) });
  await ingestBatch(service, await service.createUser("wrong key", key), RATES, { key });
  expect(await world.reasons()).toEqual(["the event hub refused the credentials"]);
  await world.remove(teamId);
});

test("a hub that recovers gets its events; after five attempts they move to the dead-letter queue", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await service.createTeam("Down");
  const down = await EventHubPeer.start("default");
  const unreachable = world.hub({ connection_string: down.connectionString(), event_hub_matchers: [] });
  await world.set(teamId, { azure_amqp: unreachable });
  await down.stop();
  await ingestBatch(service, await service.createUser("down", key), RATES, { key });
  await world.set(teamId);
  await service.advance(10 * MINUTE_MS);
  expect([world.hubs.records.length, await world.reasons()]).toEqual([1, []]);
  await world.set(teamId, { azure_amqp: unreachable });
  await ingestBatch(service, await service.createUser("down for good", key), RATES, { key });
  await service.advance(60 * MINUTE_MS);
  expect(await world.reasons()).toEqual(["tried five times"]);
  await world.remove(teamId);
});

test("each enabled broker gets the events, a matcher may name a container, and only the preferred broker is retried", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await service.createTeam("Moving");
  const blob_storage = { connection_string: world.storage.connectionString(), container_name: "calories" };
  const matchers = [{ event_type_regex: "^daily\\.data\\.calories_\\w+\\.", blob_storage }];
  const both = { preferred: "azure_amqp", enabled: ["azure_amqp", "cloud_pubsub"] };
  const azure_amqp = world.hub({ event_hub_matchers: matchers });
  expect((await world.set(teamId, { preferences: both, azure_amqp, cloud_pubsub: world.topic() })).status).toBe(200);
  const userId = await service.createUser("moving", key);
  const span = { start: "2026-05-01T08:00:00Z", end: "2026-05-01T09:00:00Z", value: 80 };
  await ingestBatch(service, userId, { ...RATES, calories_active: [span] }, { key });
  const types = ["daily.data.calories_active.created", "daily.data.heartrate.created"];
  const toTopic = world.topics.messages.map(({ attributes, orderingKey }) => [attributes["event-type"], orderingKey]);
  expect(toTopic.filter(([type]) => types.includes(type ?? "")).sort()).toEqual(types.map((type) => [type, userId]));
  expect(world.receivedTypes).toContain(types[1]);
  expect(world.receivedTypes).not.toContain(types[0]);
  const name = new RegExp(`^${teamId}/${userId}/[\\dT:.-]+Z#${types[0]}#evt_\\w+\\.json`);
  expect(world.storage.blobs).toMatchObject([{ container: "calories", name: expect.stringMatching(name) }]);
  world.topics.messages.length = 0;
  await world.set(teamId, { preferences: both, azure_amqp, cloud_pubsub: world.topic({ topic: "nothing" }) });
  await ingestBatch(service, userId, WEIGHT, { key });
  expect([world.topics.messages.length, await world.reasons()]).toEqual([0, []]);
  expect(world.receivedTypes).toContain("daily.data.weight.created");
  const reliable = { ...both, preferred: "cloud_pubsub" };
  await world.set(teamId, { preferences: reliable, azure_amqp, cloud_pubsub: world.topic({ topic: "nothing" }) });
  await ingestBatch(service, userId, { body_weight: [{ timestamp: "2026-05-03T08:00:00Z", value: 71 }] }, { key });
  expect(await world.reasons()).toEqual(["the topic does not exist"]);
  await world.remove(teamId);
});

test("a team that enables it gets historical data as daily events, and one event at the end of a history", {
  tags: "deep",
}, async () => {
  const { teamId, key } = await service.createTeam("Historian");
  const userId = await service.createUser("with history", key);
  const day = (date: string) => ({ body_weight: [{ timestamp: `${date}T08:00:00Z`, value: 70 }] });
  const send = async (date: string, is_final: boolean) => {
    world.hubs.records.length = 0;
    await ingestBatch(service, userId, day(date), { key, stage: "historical", is_final });
    return world.receivedTypes;
  };
  await world.set(teamId);
  expect(await send("2026-03-01", false)).toEqual([]);
  expect(await send("2026-03-02", true)).toEqual(["historical.data.weight.created"]);
  await world.set(teamId, { push_historical_data: true });
  expect(await send("2026-03-03", false)).toEqual(["daily.data.weight.created"]);
  expect(await send("2026-03-04", true)).toEqual(["daily.data.weight.created", "historical.data.weight.created"]);
  await world.remove(teamId);
});

describe("the management API", () => {
  test("lists destinations without their credentials, which are stored sealed", async () => {
    const { teamId } = await service.createTeam("Listed");
    const rabbitmq = { uri: "amqps://sender:s3cret@127.0.0.1/health", exchange: "events" };
    const made = await world.set(teamId, { cloud_pubsub: world.topic(), rabbitmq });
    const [listed] = (await service.manage("GET", world.path())).body.pipelines;
    expect([listed]).toEqual(made.body.pipelines);
    expect(listed).toEqual({
      team_id: teamId,
      event_type_prefixes: null,
      push_historical_data: false,
      provider_raw_data: false,
      preferences: eventHubPreferences,
      azure_amqp: {
        default_event_hub: "default",
        event_hub_matchers: [{ event_type_prefix: "daily.data.weight.", event_hub: "weights" }],
        compression: "auto",
        connection_string: `Endpoint=sb://127.0.0.1:${world.hubs.port}/;SharedAccessKey=***`,
      },
      cloud_pubsub: world.topic({
        credentials: { client_email: world.topics.credentials.client_email, private_key: "***" },
      }),
      rabbitmq: { uri: "amqps://***@127.0.0.1/health", exchange: "events" },
      svix: null,
    });
    const [, key = ""] = /SharedAccessKey=([^;]+)/.exec(world.hubs.connectionString()) ?? [];
    const [, line = ""] = world.topics.credentials.private_key.split("\n");
    for (const secret of [key, line, "s3cret"]) expect(await findItemsContaining(service, secret)).toEqual([]);
    await world.remove(teamId);
  });

  test("shows the team the settings of its destination, and those of a team without any", async () => {
    const { teamId, key } = await service.createTeam("Configured");
    const configuration = async () => (await service.call("GET", `/v2/team/${teamId}`, { key })).body.configuration;
    const alone = {
      push_historical_data: false,
      eds_preferences: { preferred: "svix", enabled: ["svix"] },
      event_type_prefixes: null,
    };
    expect(await configuration()).toMatchObject(alone);
    await world.set(teamId, { event_type_prefixes: ["labtest."], push_historical_data: true });
    expect(await configuration()).toMatchObject({
      push_historical_data: true,
      eds_preferences: eventHubPreferences,
      event_type_prefixes: ["labtest."],
    });
    await world.remove(teamId);
    expect(await configuration()).toMatchObject(alone);
  });

  test("takes histories alone for webhooks, with null for what keeps its default", async () => {
    const { teamId } = await service.createTeam("Webhooks alone");
    const set = (about: object) => service.manage("POST", world.path(), { body: { team_ids: [teamId], ...about } });
    const alone = { preferences: { preferred: "svix", enabled: ["svix"] }, svix: { regional: true } };
    const { status, body } = await set({ push_historical_data: true });
    expect([status, body.pipelines]).toMatchObject([200, [{ ...alone, push_historical_data: true }]]);
    const all = await set({ push_historical_data: null, provider_raw_data: null, preferences: null });
    expect([all.status, all.body.pipelines]).toMatchObject([
      200,
      [{ ...alone, push_historical_data: false, provider_raw_data: false, event_type_prefixes: null }],
    ]);
    await world.remove(teamId);
  });

  test("refuses a prefix that no event type has, with its location", async () => {
    const { status, body } = await world.set(service.identity.team_id, { event_type_prefixes: ["daily.", "foo."] });
    expect([status, body.detail]).toMatchObject([422, [{ loc: ["body", "event_type_prefixes", 1] }]]);
  });

  test("refuses destinations on private networks with the location of the error, and without repeating them", async () => {
    const connection_string = "Endpoint=sb://10.0.0.1/;SharedAccessKeyName=n;SharedAccessKey=c2VjcmV0";
    const answer = await world.set(service.identity.team_id, { azure_amqp: world.hub({ connection_string }) });
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0].loc).toEqual(["body", "azure_amqp", "connection_string"]);
    expect(JSON.stringify(answer.body)).not.toMatch(/c2VjcmV0|10\.0\.0\.1/);
  });

  test("refuses a team of another organization and another environment", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await world.set(unknown)).status).toBe(404);
    const elsewhere = world.path().replace("/sandbox/", "/production/");
    expect((await service.manage("POST", elsewhere, { body: world.draft(service.identity.team_id) })).status).toBe(404);
  });
});
