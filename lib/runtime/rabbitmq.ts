import { isIP } from "node:net";
import type { ChannelModel, ConfirmChannel } from "amqplib";
import type { RabbitmqExchange } from "../events/rabbitmq-destination.ts";
import { checkRabbitmq } from "./broker-egress.ts";
import { EgressRefused } from "./egress.ts";
import { PermanentError } from "./errors.ts";
import { KeptClients } from "./kept-clients.ts";
import { ports } from "./ports.ts";
import { allFailed, contentOf, type Failures, type TeamEvent } from "./team-event.ts";

/** A connection with the one channel that events are published on. */
interface Publisher {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
  /** Why the connection or its channel is closed, once it is. */
  fault?: Error;
}

const CONNECT_TIMEOUT_MS = 5_000;
const CONFIRM_TIMEOUT_MS = 5_000;
/** What the broker notices that a container was frozen, or has died, by. */
const HEARTBEAT_S = 60;
/** Reply codes of the broker (AMQP 0-9-1) of which trying again changes nothing. */
const permanent = new Map([
  [403, "the broker refused the credentials"],
  [404, "there is no exchange of this name"],
  [406, "the broker refused the event"],
]);

const publishers = new KeptClients<Publisher>(({ connection }) => connection.close());

/**
 * Publishes events to an exchange of RabbitMQ in their order, each confirmed by the broker and routed to a queue; the
 * routing key is the type. The connection is kept while the container is warm, and where the broker has closed it
 * meanwhile another one is made. @returns why single events failed.
 */
export async function sendToRabbitmq(exchange: RabbitmqExchange, events: readonly TeamEvent[]): Promise<Failures> {
  try {
    const { client, isKept } = await publishers.use(exchange.uri, () => connect(exchange.uri));
    const failed = await publishAll(client, exchange, events);
    if (!failed) return new Map();
    if (failed.isBroken) publishers.drop(exchange.uri);
    // What a kept connection has failed at may only tell that it was closed meanwhile.
    if (isKept && failed.isBroken) return sendToRabbitmq(exchange, [...failed.events.keys()]);
    return failed.events;
  } catch (error) {
    return allFailed(events, classified(error));
  }
}

async function connect(uri: string): Promise<Publisher> {
  const { address, hostname, ...rest } = await checkRabbitmq(uri);
  // The client is heavy, and most teams have no broker.
  const { default: amqp } = await import("amqplib");
  // The address that was checked is the one that is connected to, whatever the name resolves to now.
  const options = { timeout: CONNECT_TIMEOUT_MS, ...(isIP(hostname) ? {} : { servername: hostname }) };
  const url = { ...rest, hostname: address, heartbeat: HEARTBEAT_S };
  const connection = await ports().outbound(() => amqp.connect(url, options));
  const publisher: Publisher = { connection, channel: await connection.createConfirmChannel() };
  for (const source of [publisher.connection, publisher.channel]) {
    const note = (error?: Error) => {
      publisher.fault ??= error ?? new Error("closed");
    };
    source.on("error", note).on("close", note);
  }
  return publisher;
}

/** @returns undefined where all were taken, else what was not, and whether the connection is of no more use. */
async function publishAll(publisher: Publisher, { exchange }: RabbitmqExchange, events: readonly TeamEvent[]) {
  const { channel } = publisher;
  const failed = new Map<TeamEvent, unknown>();
  const unrouted = new Set<unknown>();
  const onReturn = ({ properties }: { properties: { messageId?: unknown } }) => unrouted.add(properties.messageId);
  const deadline = AbortSignal.timeout(CONFIRM_TIMEOUT_MS);
  channel.on("return", onReturn);
  await Promise.all(
    events.map((one) =>
      confirmed(channel, exchange, one, deadline).catch((error) => {
        failed.set(one, classified(publisher.fault ?? error));
      }),
    ),
  );
  channel.off("return", onReturn);
  // The broker returns what no queue takes before it confirms it.
  for (const one of events) {
    if (unrouted.has(one.event.event_id)) failed.set(one, new Error("no queue is bound to the exchange for the event"));
  }
  return failed.size === 0 ? undefined : { events: failed, isBroken: !!publisher.fault || deadline.aborted };
}

function confirmed(channel: ConfirmChannel, exchange: string, one: TeamEvent, deadline: AbortSignal): Promise<void> {
  const { content, isCompressed } = contentOf(one);
  const { type, event_id } = one.event;
  const options = {
    mandatory: true,
    persistent: true,
    contentType: "application/json",
    ...(isCompressed ? { contentEncoding: "gzip" } : {}),
    messageId: event_id,
  };
  return ports().outbound(
    () =>
      new Promise<void>((resolve, reject) => {
        deadline.addEventListener("abort", () => reject(deadline.reason), { once: true });
        channel.publish(exchange, type, content, options, (error) => (error ? reject(error) : resolve()));
      }),
  );
}

/**
 * A failure as the queue is to take it: some are for good. Texts of the other side may carry names; they stay a cause.
 * The client tells the reason of a broken handshake by its text alone.
 */
function classified(cause: unknown): Error {
  if (cause instanceof EgressRefused) return new PermanentError(cause.message, { cause });
  const [, told] =
    /^Handshake terminated by server: (\d{3}) /.exec(String(Reflect.get(Object(cause), "message"))) ?? [];
  const reason = permanent.get(Number(Reflect.get(Object(cause), "code") ?? told));
  return reason ? new PermanentError(reason, { cause }) : new Error("the broker did not take the event", { cause });
}
