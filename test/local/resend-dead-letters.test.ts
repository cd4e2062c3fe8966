import { EventBridgeClient } from "@aws-sdk/client-eventbridge";
import { QueueDoesNotExist, SQSClient } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DeliveryError } from "../../lib/local/events/delivery-error.ts";
import { handleEvents } from "../../lib/local/events/events-protocol.ts";
import { QueueEngine } from "../../lib/local/sqs/queue-engine.ts";
import { handleSqs } from "../../lib/local/sqs/sqs-protocol.ts";
import { AdminRefused } from "../../lib/start/admin-refused.ts";
import { resendDeadLetters } from "../../lib/start/resend-dead-letters.ts";
import { EVENTS_ARN, ORIGIN, RecordingBus } from "./events/recording-bus.ts";
import { queueDefinition } from "./sqs/queue-fixture.ts";

const BUS = "TributarytestEventsBus8829488F";
const target = queueDefinition("webhooks");
const undelivered = queueDefinition("Tributary-test-Events-UndeliveredEventsQueue1-x");
const reference = (id: string) => ({
  ...{ event_id: id, team_id: "t", user_id: "u", type: "daily.data.sleep.created", key: "k", version: 1 },
});

let local: RecordingBus;
let queues: QueueEngine;
/** Whether the rule's target refuses events. */
let isBroken: boolean;

/** The bodies of at most ten visible messages, which stay visible. */
const bodies = async ({ url }: { readonly url: string }) =>
  (await queues.receive(url, { max: 10, visibilityTimeoutS: 0 })).map(({ body }) => JSON.parse(body));
const resend = (queue = undelivered.name) => resendDeadLetters(queue, "Tributary-test", local.clock.now());

/** The protocols of the local cloud instead of the network. */
function connectClients(): void {
  const action = (command: object) => command.constructor.name.replace(/Command$/, "");
  vi.spyOn(SQSClient.prototype, "send").mockImplementation(((command: { input: object }) =>
    handleSqs(queues, action(command), {
      ...command.input,
      ...("WaitTimeSeconds" in command.input ? { WaitTimeSeconds: 0 } : {}),
    })) as never);
  vi.spyOn(EventBridgeClient.prototype, "send").mockImplementation((async (command: { input: object }) => {
    if (action(command) === "ListEventBuses") return { EventBuses: [{ Name: BUS }] };
    return (await handleEvents(local.bus, action(command), command.input, ORIGIN)).body;
  }) as never);
}

beforeEach(() => {
  local = new RecordingBus();
  queues = new QueueEngine(":memory:", local.clock);
  for (const queue of [target, undelivered]) queues.createQueue(queue);
  isBroken = true;
  local.answer = async (arn, body) => {
    if (arn === target.arn && isBroken) throw new DeliveryError("NO_PERMISSIONS", "refused", false);
    queues.send(arn === target.arn ? target.url : undelivered.url, { body });
  };
  local.bus.addBus(BUS, `${EVENTS_ARN}:event-bus/${BUS}`);
  const targets = [{ id: "t", arn: target.arn, inputPath: "$.detail", deadLetterArn: undelivered.arn }];
  const pattern = { source: ["tributary"] };
  local.bus.addRule({ name: "r", arn: `${EVENTS_ARN}:rule/r`, busName: BUS, pattern, enabled: true, targets });
  connectClients();
});
afterEach(() => {
  vi.restoreAllMocks();
  local.close();
  queues.close();
});

async function publish(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, place) => `evt_${place}`);
  const Entries = ids.map((id) => ({
    ...{ EventBusName: BUS, Source: "tributary", DetailType: "daily.data.sleep.created" },
    Detail: JSON.stringify(reference(id)),
  }));
  await local.bus.putEvents(Entries, ORIGIN);
  await local.settle();
  return ids;
}

describe("events that did not reach the target of a rule", () => {
  test("reach it once they are sent again, and leave their dead-letter queue", async () => {
    const ids = await publish(9);
    expect(await bodies(undelivered)).toHaveLength(9);
    isBroken = false;
    expect(await resend()).toEqual({ resent: 9, left: 0 });
    await local.settle();
    expect((await bodies(target)).map(({ event_id }) => event_id).sort()).toEqual(ids);
    expect(await bodies(undelivered)).toEqual([]);
  });

  test("stay if they fail again, and the command ends", async () => {
    await publish(3);
    await local.advanceS(1);
    const startedAt = local.clock.now() - 1;
    expect(await resendDeadLetters(undelivered.name, "Tributary-test", startedAt)).toEqual({ resent: 3, left: 0 });
    await local.settle();
    await local.advanceS(60);
    expect(await bodies(undelivered)).toHaveLength(3);
  });

  test("stay if the bus refuses them", async () => {
    await publish(2);
    vi.spyOn(local.bus, "putEvents").mockResolvedValue([
      { ErrorCode: "InternalFailure", ErrorMessage: "" },
      { ErrorCode: "InternalFailure", ErrorMessage: "" },
    ]);
    expect(await resend()).toEqual({ resent: 0, left: 2 });
    await local.advanceS(61);
    expect(await bodies(undelivered)).toHaveLength(2);
  });
});

test("details and messages of forwarders are events, and anything else stays", async () => {
  const others = [reference("evt_detail"), { to: "arn:x", event: reference("evt_forward") }, { pk: "a" }, "text"];
  for (const body of others) queues.send(undelivered.url, { body: JSON.stringify(body) });
  queues.send(undelivered.url, { body: "no JSON" });
  isBroken = false;
  expect(await resend()).toEqual({ resent: 2, left: 3 });
  await local.settle();
  expect((await bodies(target)).map(({ event_id }) => event_id).sort()).toEqual(["evt_detail", "evt_forward"]);
});

test("an unknown queue is an error with its name", async () => {
  const send = vi.spyOn(SQSClient.prototype, "send");
  send.mockRejectedValue(new QueueDoesNotExist({ message: "", $metadata: {} }) as never);
  await expect(resend("nothing")).rejects.toThrow(new AdminRefused("no queue nothing exists in this region"));
});
