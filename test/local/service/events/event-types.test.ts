import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasEvents, type SummaryName, summaryNames } from "../../../../lib/domain/summaries/summary-names.ts";
import type { TimeseriesResource } from "../../../../lib/domain/timeseries/resource.ts";
import { timeseriesResources } from "../../../../lib/domain/timeseries/resources.ts";
import { TestService } from "../../../support/service.ts";
import { type BatchResources, ingestBatch } from "../ingest/ingest-batch.ts";
import { summaryExamples } from "../summaries/summary-examples.ts";
import { plausibleRecord } from "../timeseries/plausible-record.ts";
import { createTeamWithReceiver, Receiver } from "../webhooks/webhook-receiver.ts";

let service: TestService;
const receivers: Receiver[] = [];
beforeAll(async () => {
  service = await TestService.start();
});
afterEach(() => Promise.all(receivers.splice(0).map((receiver) => receiver.stop())));
afterAll(() => service.stop());

/** Creates a user of a team with its own receiver. */
async function receive(about?: object) {
  const receiver = await Receiver.start(service);
  receivers.push(receiver);
  const key = await createTeamWithReceiver(service, receiver, about);
  return { key, userId: await service.createUser("the user", key), receiver };
}

/** Returns the event types received since the last call, sorted. */
const newTypes = ({ received }: Receiver) =>
  received
    .splice(0)
    .map(({ body }) => body.event_type)
    .toSorted();

/**
 * Returns the plausible record of a resource with another value at the same time, or another type where only one value
 * exists.
 */
function changed(resource: TimeseriesResource): Record<string, unknown> {
  const { value, bounds, fields, type } = resource;
  const record = plausibleRecord(resource);
  if (value === "string") return { ...record, value: "Another note" };
  if (value === "none") return { ...record, ...Object.fromEntries(fields.map(({ name }) => [name, 77])) };
  if (bounds[0] === bounds[1]) return { ...record, type: type.values?.[1] };
  return { ...record, value: Math.round((bounds[0] + bounds[1]) / 2) };
}

const recordsOf = (recordOf: (resource: TimeseriesResource) => object): BatchResources =>
  Object.fromEntries(timeseriesResources.map((resource) => [resource.name, [recordOf(resource)]]));

describe("samples of every resource", () => {
  // Steps, distances and similar samples also derive an activity, which sends its own event.
  const names = ["activity", ...timeseriesResources.map(({ eventName }) => eventName)];
  const typesWith = (stage: string, verb: string) => names.map((name) => `${stage}.data.${name}.${verb}`).toSorted();

  test("send created events when they are new, updated events when they change, and no event otherwise", {
    tags: "deep",
  }, async () => {
    const { key, userId, receiver } = await receive();
    await ingestBatch(service, userId, recordsOf(plausibleRecord), { key });
    expect(newTypes(receiver)).toEqual(typesWith("daily", "created"));
    expect(await ingestBatch(service, userId, recordsOf(plausibleRecord), { key })).toMatchObject({ event_ids: [] });
    expect(newTypes(receiver)).toEqual([]);
    await ingestBatch(service, userId, recordsOf(changed), { key });
    expect(newTypes(receiver)).toEqual(typesWith("daily", "updated"));
  });

  test("send one event as a history, whatever it contains", { tags: "deep" }, async () => {
    const { key, userId, receiver } = await receive();
    await ingestBatch(service, userId, recordsOf(plausibleRecord), { key, stage: "historical" });
    expect(newTypes(receiver)).toEqual(typesWith("historical", "created"));
  });
});

test("summaries of every kind send created events, updated events or no event", { tags: "deep" }, async () => {
  const { key, userId, receiver } = await receive();
  const kinds = summaryNames.flatMap(({ name }) => (hasEvents(name) ? [name] : []));
  const typesWith = (verb: string) => kinds.map((kind) => `daily.data.${kind}.${verb}`).toSorted();
  const batch = (recordOf: (example: (typeof summaryExamples)[SummaryName]) => object): BatchResources =>
    Object.fromEntries(kinds.map((kind) => [kind, [recordOf(summaryExamples[kind])]]));
  await ingestBatch(
    service,
    userId,
    batch(({ record }) => record),
    { key },
  );
  expect(newTypes(receiver)).toEqual(typesWith("created"));
  await ingestBatch(
    service,
    userId,
    batch(({ record }) => record),
    { key },
  );
  expect(newTypes(receiver)).toEqual([]);
  await ingestBatch(
    service,
    userId,
    batch(({ record, change }) => ({ ...record, ...change })),
    { key },
  );
  expect(newTypes(receiver)).toEqual(typesWith("updated"));
});

test("a device sends events of its own types, in every stage", async () => {
  const { key, userId, receiver } = await receive();
  const { record, change } = summaryExamples.devices;
  await ingestBatch(service, userId, { devices: [record] }, { key, stage: "historical" });
  const [created] = receiver.received.splice(0);
  expect(created?.body).toMatchObject({
    event_type: "provider.device.created",
    data: { ...record, user_id: userId, provider: "apple_health_kit", source_type: "watch" },
  });
  await ingestBatch(service, userId, { devices: [record] }, { key });
  expect(newTypes(receiver)).toEqual([]);
  await ingestBatch(service, userId, { devices: [{ ...record, ...change }] }, { key });
  expect(newTypes(receiver)).toEqual(["provider.device.updated"]);
});

test("a batch of new, changed and unchanged samples sends each in the event of its type", async () => {
  const { key, userId, receiver } = await receive({
    filter_types: ["daily.data.glucose.created", "daily.data.glucose.updated"],
  });
  const at = (minute: number, value: number) => ({ timestamp: `2026-05-01T08:0${minute}:00Z`, value });
  await ingestBatch(service, userId, { glucose: [at(0, 5), at(1, 5), at(2, 5)] }, { key });
  receiver.received.splice(0);
  const receipt = await ingestBatch(service, userId, { glucose: [at(0, 5), at(1, 6), at(2, 5), at(3, 7)] }, { key });
  expect(receipt).toMatchObject({ stored: 1, updated: 1, unchanged: 2 });
  const values = receiver.received.map(({ body }) => [
    body.event_type,
    body.data.data.map(({ timestamp, value }: { timestamp: string; value: number }) => [
      timestamp.slice(14, 16),
      value,
    ]),
  ]);
  expect(values.toSorted()).toEqual([
    ["daily.data.glucose.created", [["03", 7]]],
    ["daily.data.glucose.updated", [["01", 6]]],
  ]);
});

describe("the event filter of an endpoint", () => {
  const create = (filter_types: unknown) =>
    service.manage("POST", `/v1/org/${service.identity.org_id}/team/${service.identity.team_id}/sandbox/webhook`, {
      body: { url: "http://127.0.0.1:9/hook", filter_types, disabled: true },
    });

  test("accepts types of the catalogue and raw types", async () => {
    const types = ["daily.data.weight.created", "historical.data.sleep.created", "raw.oura.sleep"];
    const { status, body } = await create(types);
    expect([status, body.filter_types]).toEqual([201, types]);
  });

  test("is refused with the locations of the unknown types, and without repeating them", async () => {
    const { status, body } = await create(["daily.data.weight.created", "daily.data.body_weight.created", "steps"]);
    expect(status).toBe(422);
    expect(body.detail.map(({ loc }: { loc: unknown[] }) => loc)).toEqual([
      ["body", "filter_types", 1],
      ["body", "filter_types", 2],
    ]);
    expect(JSON.stringify(body)).not.toContain("body_weight");
  });
});
