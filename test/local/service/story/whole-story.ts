import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { summaryNames } from "../../../../lib/domain/summaries/summary-names.ts";
import { ports } from "../../../../lib/runtime/ports.ts";
import { EventHubPeer } from "../../../support/peers/event-hub-peer.ts";
import type { Answer, TestService } from "../../../support/service.ts";
import { createHeartRates, ingestBatch, sendBatch } from "../ingest/ingest-batch.ts";
import { summaryExamples } from "../summaries/summary-examples.ts";
import { findFunctionName } from "../support/stored-items.ts";
import { deleteUserKeys } from "../users/delete-user-keys.ts";
import { createTroubledEndpoints } from "../webhooks/troubled-endpoints.ts";
import { createTeamWithReceiver } from "../webhooks/webhook-receiver.ts";
import { callAgentRoutes } from "./agent-routes.ts";
import { callAggregateRoutes } from "./aggregate-routes.ts";
import { callAppointmentRoutes } from "./appointment-routes.ts";
import { callConsoleRoutes } from "./console-routes.ts";
import { callFhirDeviceRoutes, callFhirLabRoutes, callFhirRoutes } from "./fhir-routes.ts";
import { leavePhoneSilent } from "./health-routes.ts";
import { callInsuranceRoutes } from "./insurance-routes.ts";
import { callLabRoutes } from "./lab-routes.ts";
import { callLinkRoutes } from "./link-routes.ts";
import { callManagementRoutes } from "./management-routes.ts";
import { callOrderRoutes } from "./order-routes.ts";
import { callPullRoutes } from "./pull-routes.ts";
import { callConnectionRoutes, callQueryRoutes } from "./query-and-connection-routes.ts";
import { callReportRoutes } from "./report-routes.ts";
import { callResultRoutes } from "./result-routes.ts";
import type { StoryFixture } from "./story-fixture.ts";
import { callWebhookRoutes } from "./webhook-routes.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const DAY = "start_date=2026-05-01";

/**
 * Response of the receiver in the whole story: one event fails permanently, all others for some hours. More events that
 * fail for good would stop the endpoint before the last attempt at any of them.
 */
export const receiverStatus = (eventType: string, hours: number): number =>
  eventType === "historical.data.glucose.created" || hours < 3 ? 500 : 204;

/** Creates a team, a key and a webhook endpoint, each with a function that has not read the management key yet. */
async function callFirstManagementRoutes({ service, receiver, expireCaches: forget }: StoryFixture): Promise<void> {
  const { org_id, team_id } = service.identity;
  const url = receiver.url;
  const requests: [string, string, object?][] = [
    ["GET", `/v1/org/${org_id}/team`],
    ["POST", `/v1/org/${org_id}/team`, { name: "Another", region: "us" }],
    ["POST", `/v1/org/${org_id}/team_api_keys/sandbox/us`, { label: "key", team_id }],
    ["POST", `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`, { url, disabled: true }],
    ["PUT", `/v1/org/${org_id}/team/${team_id}/limits`, { users: 1_000 }],
    ["GET", `/v1/org/${org_id}/team/${team_id}/limits`],
    ["GET", `/v1/org/${org_id}/usage?start_date=2026-05-01&end_date=2026-05-02`],
    ["GET", `/v1/org/${org_id}/usage?start_date=2026-05-01&end_date=2026-05-02&team_id=${team_id}`],
  ];
  for (const [method, path, body] of requests) {
    await forget();
    expect((await service.manage(method, path, body ? { body } : {})).status).toBeLessThan(300);
  }
}

/**
 * Ingests the first data of a user without a key, as created by a version before user keys, also the first of its team.
 */
async function ingestForUserWithoutKey({ service, expireCaches: forget }: StoryFixture): Promise<void> {
  const { teamId, key } = await service.createTeam("Upgraded");
  const userId = await service.createUser("upgraded", key);
  await deleteUserKeys(service, teamId, userId, { ofTeam: true });
  await forget();
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T09:00:00Z", value: 60 }] }, { key });
}

/** Forwards one event to the team's event hub. */
async function forwardToEventHub({ service, expireCaches: forget }: StoryFixture): Promise<void> {
  const { org_id, team_id } = service.identity;
  const peer = await EventHubPeer.start("hub");
  const path = `/v1/org/${org_id}/team_etl_pipelines/sandbox/us`;
  const azure_amqp = { connection_string: peer.connectionString(), default_event_hub: "hub" };
  const preferences = { preferred: "azure_amqp", enabled: ["azure_amqp"] };
  const requests: [string, string, object?][] = [
    ["POST", path, { team_ids: [team_id], preferences, azure_amqp }],
    ["GET", path],
    ["DELETE", `${path}?team_id=${team_id}`],
  ];
  for (const [method, to, body] of requests) {
    await forget();
    expect((await service.manage(method, to, body ? { body } : {})).status).toBe(200);
    if (method !== "POST") continue;
    const timestamp = "2026-05-01T08:00:00Z";
    await ingestBatch(service, await service.createUser("sent to a hub"), { heartrate: [{ timestamp, value: 60 }] });
  }
  expect(peer.records).toHaveLength(1);
  await peer.stop();
}

/** Turns on the lake of the team of a user, and reads where its tables are. */
async function turnOnLake({ service, expireCaches: forget }: StoryFixture, key: string, userId: string): Promise<void> {
  const { team_id } = (await service.call("GET", `/v2/user/${userId}`, { key })).body;
  const path = `/v1/org/${service.identity.org_id}/team/${team_id}/sandbox/lake`;
  await forget();
  await service.manage("POST", path, { body: { enabled: true } });
  await service.settle();
  await forget();
  await service.manage("GET", path);
}

/** Runs one user from creation to erasure, through every function. */
export async function runWholeStory(world: StoryFixture): Promise<void> {
  const { service, receiver, expireCaches: forget } = world;
  const key = await createTeamWithReceiver(service, receiver);
  const ask = async (method: string, path: string, body?: unknown) => {
    await forget();
    return service.call(method, path, { key, ...(body === undefined ? {} : { body }) });
  };
  await callFirstManagementRoutes(world);
  await callManagementRoutes(service, forget);
  await forwardToEventHub(world);
  await ask("GET", "/openapi.json");
  await ask("GET", "/asyncapi.json");
  await ask("GET", "/docs");
  await ask("GET", "/nowhere");
  const user_id = await service.createUser("someone", key);
  await turnOnLake(world, key, user_id);
  await ask("GET", `/v2/user/${user_id}`);
  await ask("PATCH", `/v2/user/${user_id}`, { client_user_id: "somebody" });
  await ask("GET", "/v2/user/resolve/somebody");
  await ask("GET", "/v2/user");
  const timestamp = "2026-05-01T08:00:00Z";
  // More text within half an hour than a chunk can hold.
  const note = Array.from({ length: 160 }, (_, index) => ({
    timestamp: new Date(Date.parse(timestamp) + index * 1_000).toISOString(),
    value: randomBytes(3_000).toString("base64"),
  }));
  await forget();
  const cholesterol = [{ timestamp, type: "ldl", value: 2.5, unit: "mmol/L" }];
  await ingestBatch(service, user_id, { note, cholesterol, heartrate: [{ timestamp, value: 60 }] }, { key });
  // More chunks than one message stores.
  await ingestBatch(
    service,
    user_id,
    { heartrate: createHeartRates("2025-01-01T00:10:00Z", 201, 30 * 60_000) },
    { key },
  );
  const profile = [summaryExamples.profile.record];
  await ingestBatch(service, user_id, { activity: [{ calendar_date: "2026-05-01" }], profile }, { key });
  const changed = { activity: [{ calendar_date: "2026-05-01", steps: 1 }] };
  const { receipt_id } = await ingestBatch(service, user_id, changed, { key });
  await ask("GET", `/v2/ingest/${user_id}/${receipt_id}`);
  await ask("GET", "/v2/events");
  await ask("GET", `/v2/timeseries/${user_id}/heartrate?${DAY}`);
  await ask("GET", `/v2/timeseries/${user_id}/heartrate/grouped?${DAY}`);
  await ask("GET", `/v2/timeseries/${user_id}/cholesterol/ldl?${DAY}`);
  await ask("GET", `/console/users/${user_id}/series/heartrate?${DAY}`);
  await ask("GET", "/console/user_search");
  await ask("GET", "/console/user_search?search=some");
  await ask("GET", `/console/user_search?search=${user_id}`);
  await readEverySummary(service, key, ask);
  for (const kind of ["activity", "workouts", "profile", "devices"])
    await ask("GET", `/v2/summary/${kind}/${user_id}/raw?${DAY}`);
  await callFhirRoutes(service, forget, user_id, key);
  await readStreams(service, user_id, key, ask);
  await callAgentRoutes(service, forget, { userId: user_id, key });
  for (const provider of ["freestyle_libre", "apple_health_kit"]) {
    await ask("POST", "/v2/link/connect/demo", { user_id, provider });
    await service.settle();
  }
  // After the last attempt at the event that fails permanently.
  await service.advance(2 * DAY_MS);
  await causeFailures(service, user_id, key);
  await createTroubledEndpoints(service);
  await ingestForUserWithoutKey(world);
  await callConsoleRoutes(service, forget);
  await callWebhookRoutes(service, forget);
  await callInsuranceRoutes(service, forget);
  await callLabRoutes(service, forget);
  await callQueryRoutes(service, forget);
  await callAggregateRoutes(service, forget);
  await callConnectionRoutes(service, forget);
  await leavePhoneSilent(service);
  const linked = [await callLinkRoutes(service, forget), ...(await callPullRoutes(service, forget))];
  const patient = await callOrderRoutes(service, forget);
  await callAppointmentRoutes(service, forget, patient);
  await service.call("DELETE", `/v2/user/${patient}`);
  for (const id of linked) await service.call("DELETE", `/v2/user/${id}`);
  const tested = await callResultRoutes(service, forget);
  await callFhirLabRoutes(service, forget, tested);
  await service.call("DELETE", `/v2/user/${tested}`);
  await service.call("DELETE", `/v2/user/${await callReportRoutes(service, forget)}`);
  await runExports(service, user_id, ask);
  await eraseUser(service, user_id, ask);
}

/**
 * Causes the failures that sweepers repair: an unpublished event, a deletion without an execution; and invalid
 * messages.
 */
async function causeFailures(service: TestService, userId: string, key: string): Promise<void> {
  const storing = findFunctionName(service, "storeBatch");
  // The first event of a day moves the counts of the day before. Here the sweeper appends it.
  const beforeMidnight = DAY_MS - 60_000 - (ports().clock.now() % DAY_MS);
  await service.advance(beforeMidnight < 0 ? beforeMidnight + DAY_MS : beforeMidnight);
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T08:59:00Z", value: 59 }] }, { key });
  service.cloud.faults.add({ service: "events", function: storing, mode: "fail_before" });
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T09:00:00Z", value: 60 }] }, { key });
  await service.advance(3 * 60_000);
  service.cloud.faults.clear();
  // The queue delivers this batch again.
  service.cloud.faults.add({ service: "dynamodb", function: storing, mode: "fail_before", every_attempt: true });
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-05-01T10:00:00Z", value: 61 }] }, { key });
  service.cloud.faults.clear();
  await service.advance(10 * 60_000);
  // A part of a history has no event yet, and its batch counts itself.
  const part = { stage: "historical", is_final: false, key } as const;
  await ingestBatch(service, userId, { heartrate: [{ timestamp: "2026-04-01T10:00:00Z", value: 62 }] }, part);
  // Closed receipts that the search for pending ones passes.
  const again = { heartrate: [{ timestamp: "2026-05-01T10:00:00Z", value: 61 }] };
  for (let sent = 0; sent < 20; sent++) await ingestBatch(service, userId, again, { key });
  // Movement makes a derived activity, and an event of long notes is too large for a batch of inserts.
  const longNotes = Array.from({ length: 25 }, (_, second) => ({
    timestamp: new Date(Date.UTC(2026, 4, 2, 9, 1, second)).toISOString(),
    value: randomBytes(3_000).toString("base64"),
  }));
  const steps = [{ start: "2026-05-02T08:00:00Z", end: "2026-05-02T08:05:00Z", value: 50 }];
  await ingestBatch(service, userId, { note: longNotes, steps }, { key });
  // A batch that is never stored, so a later unchanged batch is recorded as the latest.
  service.cloud.faults.add({ service: "sqs", function: findFunctionName(service, "ingestBatch"), mode: "fail_before" });
  // It is a large one, whose object remains until the user is erased.
  const note = Array.from({ length: 80 }, (_, second) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, 9, 1, second)).toISOString(),
    value: randomBytes(3_000).toString("base64"),
  }));
  const stuck = await sendBatch(service, userId, { note }, { key });
  expect(stuck.status).toBe(503);
  service.cloud.faults.clear();
  await ingestBatch(service, userId, { activity: [{ calendar_date: "2026-05-01", steps: 1 }] }, { key });
  const lost = await service.createUser("lost", key);
  service.cloud.faults.add({
    service: "states",
    function: findFunctionName(service, "deleteUser"),
    mode: "fail_before",
  });
  await service.call("DELETE", `/v2/user/${lost}`, { key });
  service.cloud.faults.clear();
  const consumed = service.cloud.queues.queues().filter(({ redrive }) => redrive !== undefined);
  for (const { url } of consumed) service.cloud.queues.send(url, { body: "poison" });
  await service.settle();
}

/** Creates a user with a summary of each kind, and reads them. */
async function readEverySummary(
  service: TestService,
  key: string,
  ask: (method: string, path: string) => Promise<Answer>,
) {
  const user_id = await service.createUser("with every summary", key);
  const examples = summaryNames.map(({ name }) => [name, [summaryExamples[name].record]]);
  await ingestBatch(service, user_id, Object.fromEntries(examples), { key });
  await ask("GET", `/v2/summary/devices/${user_id}/raw?${DAY}`);
  await callFhirDeviceRoutes((path) => ask("GET", path), user_id);
  // Twice: a task parallel to the first read may have read the team's key just before.
  for (const { name } of [...summaryNames, ...summaryNames]) await ask("GET", `/v2/summary/${name}/${user_id}?${DAY}`);
}

/** Creates a workout and a sleep with a stream each, and replaces one of them. */
async function readStreams(
  service: TestService,
  userId: string,
  key: string,
  ask: (method: string, path: string) => Promise<Answer>,
) {
  const [begin, end] = ["2026-05-01T06:00:00Z", "2026-05-01T06:30:00Z"];
  const provider_id = "session";
  const workouts = [{ provider_id, time_start: begin, time_end: end }];
  const sleep = [{ provider_id, bedtime_start: begin, bedtime_stop: end }];
  const workout_stream = [{ provider_id, time: [Date.parse(begin) / 1000] }];
  const sleepStream = (value: number) => ({ sleep_stream: [{ provider_id, hrv: [{ timestamp: begin, value }] }] });
  await ingestBatch(service, userId, { workouts, sleep, workout_stream, ...sleepStream(40) }, { key });
  await ingestBatch(service, userId, sleepStream(41), { key });
  for (const kind of ["workouts", "sleep"]) {
    const { body } = await ask("GET", `/v2/summary/${kind}/${userId}?${DAY}`);
    await ask("GET", `/v2/timeseries/${kind}/${body[kind][0].id}/stream`);
  }
}

/** Runs an export that is downloaded, one that fails, and one that is pending when its user is deleted. */
async function runExports(
  service: TestService,
  userId: string,
  ask: (method: string, path: string) => Promise<Answer>,
): Promise<void> {
  const runner = findFunctionName(service, "runExport");
  const start = async () => {
    const { body } = await ask("POST", `/v2/user/${userId}/export`);
    await service.settle();
    return ask("GET", `/v2/user/${userId}/export/${body.id}`);
  };
  await fetch((await start()).body.download_url);
  for (const failing of ["s3", "dynamodb"] as const) {
    service.cloud.faults.add({ service: failing, function: runner, mode: "fail_before" });
    await start();
    await start();
    service.cloud.faults.clear();
  }
}

async function eraseUser(
  service: TestService,
  userId: string,
  ask: (method: string, path: string, body?: unknown) => Promise<unknown>,
) {
  await ask("DELETE", `/v2/user/${userId}`);
  await ask("GET", "/v2/user/deletions");
  await ask("POST", "/v2/user/undo_delete", { client_user_id: "somebody" });
  await ask("DELETE", `/v2/user/${userId}`);
  await service.advance(8 * DAY_MS);
  await ask("GET", `/v2/user/erasure/${userId}`);
}
