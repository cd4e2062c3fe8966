import { EventBridgeClient, ListEventBusesCommand } from "@aws-sdk/client-eventbridge";
import {
  DeleteMessageBatchCommand,
  GetQueueUrlCommand,
  type Message,
  QueueDoesNotExist,
  ReceiveMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import * as z from "zod";
import { parseJson } from "../domain/shared/json.ts";
import { type EventReference, eventReference } from "../events/catalogue/envelope.ts";
import { EventBus } from "../runtime/aws/event-bus.ts";
import { AdminRefused } from "./admin-refused.ts";
import { findUniqueName } from "./deployed-table.ts";

/** Time in which a received message is invisible, seconds: enough to publish ten events. */
const VISIBILITY_S = 60;

/** A dead letter is the whole event, its detail, or the message of a forwarder. */
const deadLetter = z.union([
  z.object({ detail: eventReference }).transform(({ detail }) => detail),
  z.object({ event: eventReference }).transform(({ event }) => event),
  eventReference,
]);

/** Dead letters that the bus accepted again, and those that stay in their queue. */
export interface ResentDeadLetters {
  readonly resent: number;
  readonly left: number;
}

/**
 * Publishes the events in the dead-letter queue of a rule again, and deletes each message once the bus has accepted its
 * event. Every target of the event receives it again; consumers are idempotent. A message that is not an event stays.
 * @param queueName as the alarm names it. SQS cannot move these messages itself: no queue is their source.
 * @param startedAt epoch ms. Messages that arrive later stay, because a resent event may fail again.
 * @throws AdminRefused if the queue or the bus does not exist.
 */
export async function resendDeadLetters(
  queueName: string,
  deployment: string,
  startedAt: number,
): Promise<ResentDeadLetters> {
  const sqs = new SQSClient({});
  const queueUrl = await findQueueUrl(sqs, queueName);
  const bus = new EventBus(await findBusName(new EventBridgeClient({}), deployment));
  const seen = new Set<string>();
  let resent = 0;
  for (;;) {
    const messages = await receive(sqs, queueUrl);
    const unseen = messages.filter(({ MessageId = "" }) => !seen.has(MessageId)).filter(isOlderThan(startedAt));
    if (unseen.length === 0) return { resent, left: seen.size - resent };
    for (const { MessageId = "" } of unseen) seen.add(MessageId);
    resent += await resend(unseen, { sqs, queueUrl, bus });
  }
}

const isOlderThan =
  (startedAt: number) =>
  ({ Attributes }: Message): boolean =>
    Number(Attributes?.SentTimestamp) <= startedAt;

async function findQueueUrl(sqs: SQSClient, QueueName: string): Promise<string> {
  try {
    const { QueueUrl = "" } = await sqs.send(new GetQueueUrlCommand({ QueueName }));
    return QueueUrl;
  } catch (error) {
    if (error instanceof QueueDoesNotExist) throw new AdminRefused(`no queue ${QueueName} exists in this region`);
    throw error;
  }
}

/** The bus of a deployment. Its name begins with that of its stack, without characters that are no letter or digit. */
async function findBusName(events: EventBridgeClient, deployment: string): Promise<string> {
  const begin = `${deployment.replaceAll(/[^A-Za-z0-9]/g, "")}EventsBus`;
  const { EventBuses = [] } = await events.send(new ListEventBusesCommand({ NamePrefix: begin }));
  return findUniqueName(
    begin,
    EventBuses.flatMap(({ Name }) => Name ?? []),
  );
}

async function receive(sqs: SQSClient, QueueUrl: string): Promise<Message[]> {
  const options = { MaxNumberOfMessages: 10, VisibilityTimeout: VISIBILITY_S, WaitTimeSeconds: 1 };
  const names = { MessageSystemAttributeNames: ["SentTimestamp" as const] };
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, ...options, ...names }));
  return Messages;
}

/** @returns the number of messages whose events the bus accepted. */
async function resend(
  messages: readonly Message[],
  { sqs, queueUrl, bus }: { readonly sqs: SQSClient; readonly queueUrl: string; readonly bus: EventBus },
): Promise<number> {
  const events = new Map<EventReference, Message>();
  for (const message of messages) {
    const { success, data } = deadLetter.safeParse(parseJson(message.Body ?? ""));
    if (success) events.set(data, message);
  }
  const { accepted } = await bus.publish([...events.keys()]);
  if (accepted.length === 0) return 0;
  const Entries = accepted.map((event, place) => ({
    Id: String(place),
    ReceiptHandle: events.get(event)?.ReceiptHandle,
  }));
  await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
  return accepted.length;
}
