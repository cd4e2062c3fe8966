import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { EventHubPeer } from "../../support/event-hub-peer.ts";
import { TestService } from "../../support/service.ts";
import { push } from "./pushing.ts";
import { itemsNaming } from "./stored-items.ts";
import { GrantWatch } from "./used-grants.ts";

const MINUTE_MS = 60_000;
const RATES = { heartrate: [{ timestamp: "2026-05-01T08:00:00Z", value: 60 }] };
const WEIGHT = { body_weight: [{ timestamp: "2026-05-01T08:00:00Z", value: 70 }] };

let service: TestService;
let peer: EventHubPeer;
beforeAll(async () => {
  peer = await EventHubPeer.start("default", "weights");
  service = await TestService.start();
});
beforeEach(() => {
  for (const { url } of service.cloud.queues.queues()) service.cloud.queues.purge(url);
  peer.records.length = 0;
});
afterAll(async () => {
  await service.stop();
  await peer.stop();
});

const path = (query = "") => `/v1/org/${service.identity.org_id}/team_etl_pipelines/sandbox/us${query}`;
const hub = (about: object = {}) => ({
  connection_string: peer.connectionString(),
  default_event_hub: "default",
  event_hub_matchers: [{ event_type_prefix: "daily.data.weight.", event_hub: "weights" }],
  ...about,
});
const preferences = { preferred: "azure_amqp", enabled: ["azure_amqp"] };
const draft = (teamId: string, about: object = {}) => ({
  team_ids: [teamId],
  preferences,
  azure_amqp: hub(),
  ...about,
});
const set = (body: object) => service.manage("POST", path(), { body });

/** The dead letters of the forwarder to teams, as reasons. */
async function reasons(): Promise<unknown[]> {
  const queues = service.cloud.queues.queues();
  const queue = queues.find(({ name }) => name.includes("QueueteamForwardsQueue"));
  const dead = queues.find(({ arn }) => arn === queue?.redrive?.deadLetterArn);
  const letters = await service.cloud.queues.receive(dead?.url ?? "", { max: 10 });
  return letters.map(({ attributes }) => attributes.reason?.StringValue ?? "tried five times");
}

test("events go to the hub of the first matcher, else to the default, and to webhooks as before [events-32] [events-33]", async () => {
  const watch = new GrantWatch(service.cloud);
  const { teamId, key } = await service.createTeam("Hub");
  expect((await set(draft(teamId))).status).toBe(200);
  const userId = await service.createUser("in the hub", key);
  const { event_ids } = await push(service, userId, { ...RATES, ...WEIGHT }, { key });
  await service.settle();
  const { body } = await service.call("GET", "/v2/events", { key });
  const bodies = new Map(body.events.map((one: { event_id: string; body: object }) => [one.event_id, one.body]));
  expect(peer.records).toHaveLength(event_ids.length);
  for (const { hub: name, partitionKey, properties, data } of peer.records) {
    const isWeight = properties["event-type"] === "daily.data.weight.created";
    expect([name, partitionKey]).toEqual([isWeight ? "weights" : "default", userId]);
    expect(data).toEqual(bodies.get(String(properties["idempotency-key"])));
    expect(properties).toMatchObject({ "event-type": data.event_type, "user-id": userId, "team-id": teamId });
  }
  expect((await service.manage("GET", path())).status).toBe(200);
  expect((await service.manage("DELETE", path(`?team_id=${teamId}`))).status).toBe(200);
  const mine = /^(forwardToTeam|\w+TeamEtlPipelines?) (?!sqs:sendmessage|dynamodb:getitem \S+directory)/;
  expect((await watch.unused()).filter((grant) => mine.test(grant))).toEqual([]);
});

test("a team gets only the types that it asked for, another team nothing, and nothing more once it is removed", async () => {
  const { teamId, key } = await service.createTeam("Choosy");
  await set(draft(teamId, { event_type_prefixes: ["daily.data.weight."] }));
  const userId = await service.createUser("choosy", key);
  await push(service, userId, { ...RATES, ...WEIGHT }, { key });
  await push(service, await service.createUser("of another team"), { ...RATES, ...WEIGHT });
  expect(peer.records.map(({ data }) => [data.event_type, data.user_id])).toEqual([
    ["daily.data.weight.created", userId],
  ]);
  expect((await service.manage("DELETE", path(`?team_id=${teamId}`))).body).toEqual({ success: true });
  await push(service, userId, { body_weight: [{ timestamp: "2026-05-02T08:00:00Z", value: 71 }] }, { key });
  expect(peer.records).toHaveLength(1);
  expect((await service.manage("DELETE", path(`?team_id=${teamId}`))).status).toBe(404);
});

test("refused credentials make dead letters at once, with the reason", async () => {
  const { teamId, key } = await service.createTeam("Wrong key");
  await set(draft(teamId, { azure_amqp: hub({ connection_string: peer.connectionString("d3Jvbmc=") }) }));
  await push(service, await service.createUser("wrong key", key), RATES, { key });
  expect(await reasons()).toEqual(["the event hub refused the credentials"]);
  await service.manage("DELETE", path(`?team_id=${teamId}`));
});

test("a hub that is down gets its events when it is back; after five tries they are dead letters", {
  timeout: 120_000,
}, async () => {
  const { teamId, key } = await service.createTeam("Down");
  const down = await EventHubPeer.start("default");
  const unreachable = hub({ connection_string: down.connectionString(), event_hub_matchers: [] });
  await set(draft(teamId, { azure_amqp: unreachable }));
  await down.stop();
  await push(service, await service.createUser("down", key), RATES, { key });
  await set(draft(teamId));
  await service.advance(10 * MINUTE_MS);
  expect([peer.records.length, await reasons()]).toEqual([1, []]);
  await set(draft(teamId, { azure_amqp: unreachable }));
  await push(service, await service.createUser("down for good", key), RATES, { key });
  await service.advance(60 * MINUTE_MS);
  expect(await reasons()).toEqual(["tried five times"]);
  await service.manage("DELETE", path(`?team_id=${teamId}`));
});

describe("the management interface", () => {
  test("lists destinations without their credentials, which are stored sealed", async () => {
    const { teamId } = await service.createTeam("Listed");
    const made = await set(draft(teamId));
    const [listed] = (await service.manage("GET", path())).body.team_etl_pipelines;
    expect([listed]).toEqual(made.body.team_etl_pipelines);
    expect(listed).toEqual({
      team_id: teamId,
      event_type_prefixes: null,
      push_historical_data: false,
      provider_raw_data: false,
      preferences,
      azure_amqp: {
        default_event_hub: "default",
        event_hub_matchers: [{ event_type_prefix: "daily.data.weight.", event_hub: "weights" }],
        compression: "auto",
        connection_string: `Endpoint=sb://127.0.0.1:${peer.port}/;SharedAccessKey=***`,
      },
    });
    const [, key = ""] = /SharedAccessKey=([^;]+)/.exec(peer.connectionString()) ?? [];
    expect(await itemsNaming(service, key)).toEqual([]);
    await service.manage("DELETE", path(`?team_id=${teamId}`));
  });

  const secret = "SharedAccessKeyName=n;SharedAccessKey=c2VjcmV0";
  test.each([
    ["without a shared access key", "Endpoint=sb://ns.servicebus.windows.net/"],
    ["that names a hub", `Endpoint=sb://ns.servicebus.windows.net/;${secret};EntityPath=hub`],
    ["of another scheme", `Endpoint=https://ns.servicebus.windows.net/;${secret}`],
    ["with a setting twice", `Endpoint=sb://ns.servicebus.windows.net/;${secret};SharedAccessKey=b3RoZXI=`],
    ["to an address", `Endpoint=sb://10.0.0.1/;${secret}`],
    ["to this machine", `Endpoint=sb://localhost/;${secret}`],
    ["to another port", `Endpoint=sb://ns.servicebus.windows.net:22/;${secret}`],
    ["to a peer without TLS elsewhere", `Endpoint=sb://10.0.0.1/;${secret};UseDevelopmentEmulator=true`],
  ])("refuses a connection string %s, and does not repeat it", async (_, connection_string) => {
    const answer = await set(draft(service.identity.team_id, { azure_amqp: hub({ connection_string }) }));
    expect(answer.status).toBe(422);
    expect(JSON.stringify(answer.body)).toContain('"connection_string"');
    expect(JSON.stringify(answer.body)).not.toContain("c2VjcmV0");
  });

  test.each([
    ["an event hub that is enabled without attributes", { azure_amqp: undefined }],
    ["a preferred kind that is not enabled", { preferences: { preferred: "svix", enabled: ["azure_amqp"] } }],
    ["a kind that there is not", { preferences: { preferred: "fax", enabled: ["fax"] } }],
    ["what is not done here", { push_historical_data: true }],
  ])("refuses %s", async (_, about) => {
    expect((await set(draft(service.identity.team_id, about))).status).toBe(422);
  });

  test("knows no team of another organization, and no other environment", async () => {
    const unknown = "00000000-0000-4000-8000-000000000000";
    expect((await set(draft(unknown))).status).toBe(404);
    const elsewhere = path().replace("/sandbox/", "/production/");
    expect((await service.manage("POST", elsewhere, { body: draft(service.identity.team_id) })).status).toBe(404);
  });
});
