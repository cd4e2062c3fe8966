import { isIP } from "node:net";
import type { ChannelModel, ConfirmChannel } from "amqplib";
import type { RabbitmqExchange } from "../../events/forwarding/rabbitmq-destination.ts";
import { EgressRefused } from "../../runtime/egress.ts";
import { PermanentError } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { checkRabbitmq } from "./broker-egress.ts";
import { type BrokerEvent, encodeBody, failAll, type SendFailures } from "./broker-event.ts";
import { ClientPool } from "./client-pool.ts";

/** A connection with its one publishing channel. */
interface Publisher {
  readonly connection: ChannelModel;
  readonly channel: ConfirmChannel;
  /** The reason why the connection or channel closed. */
  fault?: Error;
}

const CONNECT_TIMEOUT_MS = 5_000;
const CONFIRM_TIMEOUT_MS = 5_000;
/** Heartbeat interval, by which the broker detects a frozen or dead container. */
const HEARTBEAT_S = 60;
/** AMQP 0-9-1 reply codes that a retry does not change, with their reasons. */
const permanent = new Map([
  [403, "the broker refused the credentials"],
  [404, "the exchange does not exist"],
  [406, "the broker refused the event"],
]);

const publishers = new ClientPool<Publisher>(({ connection }) => connection.close());

/**
 * Publishes events to a RabbitMQ exchange in order, with publisher confirms and mandatory routing. The routing key is
 * the event type. A warm container reuses the connection, and replaces a connection that the broker has closed.
 * @returns the error of each failed event.
 */
export async function sendToRabbitmq(
  exchange: RabbitmqExchange,
  events: readonly BrokerEvent[],
): Promise<SendFailures> {
  try {
    const { client, isKept } = await publishers.acquire(exchange.uri, () => connect(exchange.uri));
    const failed = await publishAll(client, exchange, events);
    if (!failed) return new Map();
    if (failed.isBroken) publishers.evict(exchange.uri);
    // A pooled connection may have been closed since its last use, so try once more with a new one.
    if (isKept && failed.isBroken) return sendToRabbitmq(exchange, [...failed.events.keys()]);
    return failed.events;
  } catch (error) {
    return failAll(events, classifyError(error));
  }
}

async function connect(uri: string): Promise<Publisher> {
  const { address, hostname, ...rest } = await checkRabbitmq(uri);
  // Imported lazily: the client is large, and most teams have no broker.
  const { default: amqp } = await import("amqplib");
  // Connect to the checked address: another lookup could return another one.
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

/**
 * @returns undefined if the broker confirmed all; otherwise the failed events, and whether the connection is broken.
 */
async function publishAll(publisher: Publisher, { exchange }: RabbitmqExchange, events: readonly BrokerEvent[]) {
  const { channel } = publisher;
  const failed = new Map<BrokerEvent, unknown>();
  const unrouted = new Set<unknown>();
  const onReturn = ({ properties }: { properties: { messageId?: unknown } }) => unrouted.add(properties.messageId);
  const deadline = AbortSignal.timeout(CONFIRM_TIMEOUT_MS);
  channel.on("return", onReturn);
  await Promise.all(
    events.map((one) =>
      publishConfirmed(channel, exchange, one, deadline).catch((error) => {
        failed.set(one, classifyError(publisher.fault ?? error));
      }),
    ),
  );
  channel.off("return", onReturn);
  // The broker returns an unroutable message before it confirms it.
  for (const one of events) {
    if (unrouted.has(one.event.event_id)) failed.set(one, new Error("no queue is bound to the exchange for the event"));
  }
  return failed.size === 0 ? undefined : { events: failed, isBroken: !!publisher.fault || deadline.aborted };
}

function publishConfirmed(
  channel: ConfirmChannel,
  exchange: string,
  one: BrokerEvent,
  deadline: AbortSignal,
): Promise<void> {
  const { content, isCompressed } = encodeBody(one);
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
 * Classifies an error as permanent or retryable. The broker's text may contain names, so it stays in `cause`.
 * For a failed handshake the client has the reply code in the text only.
 */
function classifyError(cause: unknown): Error {
  if (cause instanceof EgressRefused) return new PermanentError(cause.message, { cause });
  const [, replyCode] =
    /^Handshake terminated by server: (\d{3}) /.exec(String(Reflect.get(Object(cause), "message"))) ?? [];
  const reason = permanent.get(Number(Reflect.get(Object(cause), "code") ?? replyCode));
  return reason ? new PermanentError(reason, { cause }) : new Error("the broker did not accept the event", { cause });
}
