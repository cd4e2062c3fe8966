import { setTimeout as pause } from "node:timers/promises";
import type { WireMessage } from "../../events/webhooks/webhook-message.ts";
import { CommandFailed } from "../frame/command-failed.ts";
import type { Outcome } from "../frame/declaration.ts";
import type { Session } from "../frame/session.ts";
import type { WebhookClient } from "./webhook-client.ts";

const POLL_MS = 1_000;

/** Messages of an endpoint by the instant of their event's delivery. */
export interface MessageRange {
  /** ISO instants: the first of the range, and the exclusive end; now by default. */
  readonly since: string;
  readonly until: string | undefined;
  /** A type, or a prefix that ends in a dot. */
  readonly type: string | undefined;
  readonly state: string | undefined;
}

const formatMessage = ({ event_id, event_type, user_id, state, created_at }: WireMessage): string =>
  [created_at, event_id, event_type, state, user_id === null ? "" : `user ${user_id}`].filter(Boolean).join("  ");

/** Resends one message. @throws CommandFailed if the endpoint has no such message. */
export async function replayMessage(client: WebhookClient, eventId: string, session: Session): Promise<Outcome> {
  for await (const message of client.messages()) {
    if (message.event_id !== eventId) continue;
    const resent = await client.resend(message);
    session.print(formatMessage(resent));
    return { data: { messages: [resent] } };
  }
  throw new CommandFailed(`The endpoint has no message ${eventId} of the last 30 days.`);
}

/** Resends the messages of a range, oldest first. @param isDryRun only lists them. */
export async function replayRange(
  client: WebhookClient,
  range: MessageRange,
  isDryRun: boolean,
  session: Session,
): Promise<Outcome> {
  const found = await listRange(client, range);
  const progress = session.progress({ label: "Resending", total: found.length, unit: "messages" });
  const resent: WireMessage[] = [];
  for (const message of isDryRun ? [] : found) progress.update(resent.push(await client.resend(message)));
  for (const message of isDryRun ? found : resent) session.print(formatMessage(message));
  progress.done(isDryRun ? `${found.length} messages, none resent.` : `Resent ${resent.length} messages.`);
  return { data: { messages: isDryRun ? found : resent } };
}

async function listRange(client: WebhookClient, { since, until, type, state }: MessageRange): Promise<WireMessage[]> {
  const [sinceMs, untilMs] = [Date.parse(since), until === undefined ? Number.POSITIVE_INFINITY : Date.parse(until)];
  const hasType = (found: string) =>
    type === undefined || (type.endsWith(".") ? found.startsWith(type) : found === type);
  const found: WireMessage[] = [];
  for await (const message of client.messages(state)) {
    const createdMs = Date.parse(message.created_at);
    if (createdMs < sinceMs) break;
    if (createdMs < untilMs && hasType(message.event_type)) found.push(message);
  }
  return found.reverse();
}

/** Sends the events since an instant that the endpoint never received, and waits until the task of the service ends. */
export async function replayMissing(client: WebhookClient, since: string, session: Session): Promise<Outcome> {
  const progress = session.progress({ label: "Sending", unit: "messages" });
  let task = await client.replayMissing(since);
  while (task.state === "pending" || task.state === "running") {
    await pause(POLL_MS);
    task = await client.task(task.id);
    progress.update(task.sent, `${task.looked_at} events checked`);
  }
  progress.done(`Checked ${task.looked_at} events, sent ${task.sent}; the task is ${task.state}.`);
  return { data: { task }, isOk: task.state === "done" };
}
