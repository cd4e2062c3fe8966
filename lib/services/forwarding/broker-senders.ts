import type { BrokerKind } from "../../domain/management/destination-kinds.ts";
import { createEventHubRouter, eventHubSecrets } from "../../events/forwarding/event-hub-destination.ts";
import { pubsubSecrets } from "../../events/forwarding/pubsub-destination.ts";
import { rabbitmqSecrets } from "../../events/forwarding/rabbitmq-destination.ts";
import type { TeamDestination } from "../../events/forwarding/team-destination.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import { eventIdentityKey } from "../../store/events/outbox-items.ts";
import { type BlobEvent, putBlob } from "./blob-storage.ts";
import { type BrokerEvent, failAll, type SendFailures } from "./broker-event.ts";
import { sendToEventHub } from "./event-hub.ts";
import { sendToPubsub } from "./pubsub.ts";
import { sendToRabbitmq } from "./rabbitmq.ts";

/** Reads the write times of events. */
type WriteTimes = Pick<OutboxStore, "getCreationTimes">;
type Send = (
  destination: TeamDestination,
  secrets: unknown,
  events: readonly BrokerEvent[],
  outbox: WriteTimes,
) => Promise<SendFailures>;

/**
 * Senders per broker kind. They take the destination with its opened secrets and return the error of each failed event.
 */
export const brokerSenders: Readonly<Record<BrokerKind, Send>> = {
  azure_amqp: sendToAzure,
  cloud_pubsub: ({ cloud_pubsub }, secrets, events) => {
    const { private_key } = pubsubSecrets.parse(secrets);
    if (!cloud_pubsub) return failUnconfigured(events);
    const { client_email } = cloud_pubsub.credentials;
    return sendToPubsub({ ...cloud_pubsub, credentials: { client_email, private_key } }, events);
  },
  rabbitmq: ({ rabbitmq }, secrets, events) => {
    const { uri } = rabbitmqSecrets.parse(secrets);
    return rabbitmq ? sendToRabbitmq({ ...rabbitmq, uri }, events) : failUnconfigured(events);
  },
};

const failUnconfigured = async (events: readonly BrokerEvent[]) =>
  failAll(events, new Error("the broker is not configured"));

/** Sends each event to the hub or container that the first matching route names. */
async function sendToAzure(
  { azure_amqp }: TeamDestination,
  sealed: unknown,
  events: readonly BrokerEvent[],
  outbox: WriteTimes,
): Promise<SendFailures> {
  if (!azure_amqp) return failUnconfigured(events);
  const secrets = eventHubSecrets.parse(sealed);
  const routeOf = createEventHubRouter(azure_amqp, secrets);
  const routed = events.map((one) => ({ one, route: routeOf(one.event.type) }));
  const toHubs = routed.flatMap(({ one, route }) => ("hub" in route ? { ...one, ...route } : []));
  const toContainers = routed.flatMap(({ one, route }) => ("hub" in route ? [] : { ...one, ...route }));
  const failures = await Promise.all([
    sendToEventHub(secrets.connection_string, azure_amqp.compression, toHubs),
    writeBlobs(toContainers, azure_amqp.compression, outbox),
  ]);
  const byName = new Map(events.map((one) => [eventIdentityKey(one.event), one]));
  const failed = failures.flatMap((some) => [...some]);
  return new Map(failed.map(([{ event }, error]) => [byName.get(eventIdentityKey(event)) as BrokerEvent, error]));
}

async function writeBlobs(
  events: readonly Omit<BlobEvent, "writtenAt">[],
  compression: "auto" | "always",
  outbox: WriteTimes,
): Promise<SendFailures> {
  if (events.length === 0) return new Map();
  const written = await outbox.getCreationTimes(events.map(({ event }) => event));
  const failed = new Map<BrokerEvent, unknown>();
  const write = async (one: Omit<BlobEvent, "writtenAt">) => {
    const writtenAt = written.get(eventIdentityKey(one.event));
    if (writtenAt) await putBlob({ ...one, writtenAt }, compression).catch((error) => failed.set(one, error));
  };
  await Promise.all(events.map(write));
  return failed;
}
