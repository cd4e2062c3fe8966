// @module-tag deep
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { KinesisPeer } from "../../../support/peers/kinesis-peer.ts";
import { TestService } from "../../../support/service.ts";
import { forwardSettings, forwardTargets } from "../../../support/test-settings.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { GrantWatch } from "../platform/permissions/grant-watch.ts";

const arnOf = (service: string, name: string) => `arn:aws:${service}:us-east-1:000000000000:${name}`;
const { stream, alerts } = forwardTargets;
const MINUTE_MS = 60_000;
const STEPS = [{ start: "2026-05-01T08:00:00Z", end: "2026-05-01T08:01:00Z", value: 9 }];
const WEIGHT = [{ timestamp: "2026-05-01T08:00:00Z", value: 70 }];

let service: TestService;
let kinesis: KinesisPeer;
const urlOf = (name: string) => `https://sqs.us-east-1.amazonaws.com/000000000000/${name}`;
beforeAll(async () => {
  kinesis = await KinesisPeer.start();
  service = await TestService.start(undefined, forwardSettings);
  // The start cleared the AWS environment variables.
  process.env.AWS_ENDPOINT_URL_KINESIS = kinesis.origin;
  const { queues, bus } = service.cloud;
  const settings = { visibilityTimeoutS: 30, delayS: 0, retentionS: 345_600 };
  for (const name of ["weights", "alerts"]) {
    queues.createQueue({ name, arn: arnOf("sqs", name), url: urlOf(name), ...settings });
  }
  bus.addBus("alerts", alerts);
  const targets = [{ id: "kept", arn: arnOf("sqs", "alerts") }];
  const rule = { name: "all", arn: arnOf("events", "rule/alerts/all"), busName: "alerts", enabled: true };
  bus.addRule({ ...rule, pattern: { source: ["tributary"] }, targets });
});
beforeEach(() => {
  for (const { url } of service.cloud.queues.queues()) service.cloud.queues.purge(url);
  Object.assign(kinesis, { isRefused: () => false, isDown: false });
  kinesis.records.length = 0;
  kinesis.requests.length = 0;
});
afterAll(async () => {
  await service.stop();
  kinesis.stop();
  delete process.env.AWS_ENDPOINT_URL_KINESIS;
});

/** Receives the messages of a queue whose URL ends with the name. */
const received = (name: string) => service.cloud.queues.receive(urlOf(name), { max: 10 });

/** Returns the depth of the dead-letter queue of a forwarder. */
function deadLetters(name: string): number {
  const { cloud } = service;
  const queue = cloud.queues.queues().find((one) => one.name.includes(`Queue${name}Queue`));
  const dead = cloud.queues.queues().find(({ arn }) => arn === queue?.redrive?.deadLetterArn);
  return cloud.queues.depth(dead?.url ?? "").visible;
}

test("each event goes unchanged, with its id, to the first matching forward, under the policy of its forwarder", async () => {
  const watch = new GrantWatch(service.cloud);
  const userId = await service.createUser("forwarded");
  const { event_ids } = await ingestBatch(service, userId, { steps: STEPS, body_weight: WEIGHT });
  await service.call("POST", "/v2/link/connect/demo", { body: { user_id: userId, provider: "freestyle_libre" } });
  await service.settle();
  const published = new Map((await service.inbox()).map(({ body, headers }) => [headers["webhook-id"], body]));
  const whole = (event_id: string) => ({ event_id, ...published.get(event_id) });

  const [weight, ...moreWeights] = await received("weights");
  const inQueue = JSON.parse(weight?.body ?? "{}");
  expect([inQueue, moreWeights]).toEqual([whole(inQueue.event_id), []]);
  expect(event_ids).toContain(inQueue.event_id);
  expect(Object.entries(weight?.attributes ?? {}).map(([name, { StringValue }]) => [name, StringValue])).toEqual([
    ["event-type", "daily.data.weight.created"],
    ["team-id", service.identity.team_id],
    ["user-id", userId],
    ["idempotency-key", inQueue.event_id],
  ]);

  const inStream = kinesis.records.filter(({ data }) => event_ids.includes(data.event_id));
  expect(inStream.map(({ data }) => data.event_type)).toContain("daily.data.steps.created");
  expect(inStream).toHaveLength(event_ids.length - 1);
  for (const record of inStream) {
    expect(record).toEqual({ stream, partitionKey: userId, data: whole(record.data.event_id) });
  }

  const onBus = (await received("alerts")).map(({ body }) => JSON.parse(body));
  const connected = onBus.find((event) => event["detail-type"] === "provider.connection.created");
  expect(connected).toMatchObject({ source: "tributary", detail: whole(connected.detail.event_id) });
  expect(
    (await watch.unused()).filter((grant) =>
      /^forwardTo(?:Kinesis|Queue|Bus) (?!kinesis:|sqs:sendmessage .*DeadLetters)/.test(grant),
    ),
  ).toEqual([]);
});

test("a record that the stream refuses is retried alone until it is accepted", async () => {
  const userId = await service.createUser("refused");
  let refusals = 3;
  kinesis.isRefused = ({ data }) => data.event_type === "daily.data.steps.created" && refusals-- > 0;
  const { event_ids } = await ingestBatch(service, userId, { steps: STEPS, body_weight: WEIGHT });
  await service.advance(30 * MINUTE_MS);
  const ids = kinesis.records.map(({ data }) => data.event_id);
  expect([...ids].sort()).toEqual([...new Set(ids)].sort());
  expect(event_ids).toEqual(expect.arrayContaining(ids));
  expect(ids).toHaveLength(event_ids.length - 1);
  expect(deadLetters("kinesisForwards")).toBe(0);
});

test("events for a target that stays down move to the dead-letter queue after five attempts, and arrive after a redrive", async () => {
  const userId = await service.createUser("down");
  kinesis.isDown = true;
  const { event_ids } = await ingestBatch(service, userId, { steps: STEPS });
  await service.advance(60 * MINUTE_MS);
  expect(deadLetters("kinesisForwards")).toBe(event_ids.length);
  kinesis.isDown = false;
  const { queues } = service.cloud;
  const queue = queues.queues().find(({ name }) => name.includes("QueuekinesisForwardsQueue"));
  queues.redrive(queue?.redrive?.deadLetterArn ?? "", queue?.arn);
  await service.settle();
  expect(kinesis.records.map(({ data }) => data.event_id).sort()).toEqual([...event_ids].sort());
});

test("an event of a user who is deleted before it is forwarded is skipped", async () => {
  const userId = await service.createUser("gone");
  kinesis.isDown = true;
  await ingestBatch(service, userId, { steps: STEPS });
  await service.call("DELETE", `/v2/user/${userId}`);
  kinesis.isDown = false;
  await service.advance(60 * MINUTE_MS);
  expect([kinesis.records, deadLetters("kinesisForwards")]).toEqual([[], 0]);
});
