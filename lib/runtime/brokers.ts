import { eventHubRoutes, eventHubSecrets } from "../events/event-hub-destination.ts";
import { pubsubSecrets } from "../events/pubsub-destination.ts";
import { rabbitmqSecrets } from "../events/rabbitmq-destination.ts";
import type { BrokerKind, TeamDestination } from "../events/team-destination.ts";
import type { OutboxStore } from "../store/outbox.ts";
import { eventName } from "../store/outbox-items.ts";
import { type BlobEvent, putBlob } from "./blob-storage.ts";
import { sendToEventHub } from "./event-hub.ts";
import { sendToPubsub } from "./pubsub.ts";
import { sendToRabbitmq } from "./rabbitmq.ts";
import { allFailed, type Failures, type TeamEvent } from "./team-event.ts";

/** Reads the write times of events. */
type Written = Pick<OutboxStore, "writtenAt">;
type Send = (
  destination: TeamDestination,
  secrets: unknown,
  events: readonly TeamEvent[],
  outbox: Written,
) => Promise<Failures>;

/**
 * Senders per broker kind. They take the destination with its opened secrets and return the error of each failed event.
 */
export const sendTo: Readonly<Record<BrokerKind, Send>> = {
  azure_amqp: sendToAzure,
  cloud_pubsub: ({ cloud_pubsub }, secrets, events) => {
    const { private_key } = pubsubSecrets.parse(secrets);
    if (!cloud_pubsub) return nowhere(events);
    const { client_email } = cloud_pubsub.credentials;
    return sendToPubsub({ ...cloud_pubsub, credentials: { client_email, private_key } }, events);
  },
  rabbitmq: ({ rabbitmq }, secrets, events) => {
    const { uri } = rabbitmqSecrets.parse(secrets);
    return rabbitmq ? sendToRabbitmq({ ...rabbitmq, uri }, events) : nowhere(events);
  },
};

const nowhere = async (events: readonly TeamEvent[]) => allFailed(events, new Error("the broker is not configured"));

/** Sends each event to the hub or container that the first matching route names. */
async function sendToAzure(
  { azure_amqp }: TeamDestination,
  sealed: unknown,
  events: readonly TeamEvent[],
  outbox: Written,
): Promise<Failures> {
  if (!azure_amqp) return nowhere(events);
  const secrets = eventHubSecrets.parse(sealed);
  const routeOf = eventHubRoutes(azure_amqp, secrets);
  const routed = events.map((one) => ({ one, route: routeOf(one.event.type) }));
  const toHubs = routed.flatMap(({ one, route }) => ("hub" in route ? { ...one, ...route } : []));
  const toContainers = routed.flatMap(({ one, route }) => ("hub" in route ? [] : { ...one, ...route }));
  const failures = await Promise.all([
    sendToEventHub(secrets.connection_string, azure_amqp.compression, toHubs),
    writeBlobs(toContainers, azure_amqp.compression, outbox),
  ]);
  const byName = new Map(events.map((one) => [eventName(one.event), one]));
  const failed = failures.flatMap((some) => [...some]);
  return new Map(failed.map(([{ event }, error]) => [byName.get(eventName(event)) as TeamEvent, error]));
}

async function writeBlobs(
  events: readonly Omit<BlobEvent, "writtenAt">[],
  compression: "auto" | "always",
  outbox: Written,
): Promise<Failures> {
  if (events.length === 0) return new Map();
  const written = await outbox.writtenAt(events.map(({ event }) => event));
  const failed = new Map<TeamEvent, unknown>();
  const write = async (one: Omit<BlobEvent, "writtenAt">) => {
    const writtenAt = written.get(eventName(one.event));
    if (writtenAt) await putBlob({ ...one, writtenAt }, compression).catch((error) => failed.set(one, error));
  };
  await Promise.all(events.map(write));
  return failed;
}
