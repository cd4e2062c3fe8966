import type { EventData, EventDataBatch, EventHubProducerClient } from "@azure/event-hubs";
import { EgressRefused } from "../../runtime/egress.ts";
import { PermanentError } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { checkEventHub } from "./broker-egress.ts";
import { type BrokerEvent, encodeBody, eventOrderingKey, type SendFailures } from "./broker-event.ts";
import { withGuardedSockets } from "./guarded-sockets.ts";

/** An event for an event hub. */
export interface HubEvent extends BrokerEvent {
  readonly hub: string;
}

/** Two attempts of up to 5 s each. The queue retries later. */
const retryOptions = { maxRetries: 1, timeoutInMs: 5_000, retryDelayInMs: 500 };
/** Error codes of the client that a retry does not change, with their reasons. */
const permanent = new Map([
  ["UnauthorizedError", "the event hub refused the credentials"],
  ["MessagingEntityNotFoundError", "the event hub does not exist"],
  ["MessagingEntityDisabledError", "the event hub is disabled"],
  ["MessageTooLargeError", "the event is too large for the event hub"],
]);

/**
 * Sends events to the hubs of a namespace. Events of one user and hub stay in order. Each call opens and closes its
 * connection. The client resolves the name again, so its sockets are guarded.
 * @returns the error of each failed event.
 */
export async function sendToEventHub(
  connectionString: string,
  compression: "auto" | "always",
  events: readonly HubEvent[],
): Promise<SendFailures<HubEvent>> {
  const failed = new Map<HubEvent, unknown>();
  const byHub = Map.groupBy(events, ({ hub }) => hub);
  await Promise.all(
    [...byHub].map(async ([hub, some]) => {
      try {
        const address = await checkEventHub(connectionString);
        // Imported lazily: the client is large, and most teams have no event hub.
        const { EventHubProducerClient } = await import("@azure/event-hubs");
        const client = new EventHubProducerClient(connectionString, hub, { retryOptions });
        await ports()
          .outbound(() => withGuardedSockets(address, () => sendAll(client, compression, some, failed)))
          .finally(() => client.close());
      } catch (error) {
        for (const one of some) failed.set(one, classifyError(error));
      }
    }),
  );
  return failed;
}

/** Sends the events of one hub, in order per partition key, and adds failures to `failed`. */
async function sendAll(
  client: EventHubProducerClient,
  compression: "auto" | "always",
  events: readonly HubEvent[],
  failed: Map<HubEvent, unknown>,
): Promise<void> {
  const byKey = Map.groupBy(events, eventOrderingKey);
  const sendOrdered = async ([partitionKey, some]: [string, HubEvent[]]) => {
    for (let waiting = some; waiting.length > 0; ) {
      const batch = await client.createBatch({ partitionKey });
      const taken = fillBatch(batch, waiting, compression);
      if (taken > 0) await sendBatch(client, batch, waiting.slice(0, taken), failed);
      else failed.set(waiting[0] as HubEvent, new PermanentError("the event is too large for the event hub"));
      waiting = waiting.slice(Math.max(taken, 1));
    }
  };
  await Promise.all([...byKey].map(sendOrdered));
}

/** Adds events until the batch is full. @returns the number of added events. */
function fillBatch(batch: EventDataBatch, events: readonly HubEvent[], compression: "auto" | "always"): number {
  const full = events.findIndex((one) => !batch.tryAdd(toEventData(one, compression)));
  return full === -1 ? events.length : full;
}

async function sendBatch(
  client: EventHubProducerClient,
  batch: EventDataBatch,
  events: readonly HubEvent[],
  failed: Map<HubEvent, unknown>,
): Promise<void> {
  try {
    await client.sendBatch(batch);
  } catch (error) {
    for (const one of events) failed.set(one, classifyError(error));
  }
}

function toEventData(one: HubEvent, compression: "auto" | "always"): EventData {
  const { content, isCompressed } = encodeBody(one, compression);
  const { event } = one;
  return {
    body: content,
    contentType: "application/json",
    properties: {
      "event-type": event.type,
      ...(event.user_id === "" ? {} : { "user-id": event.user_id }),
      "team-id": event.team_id,
      ...(isCompressed ? { "content-encoding": "gzip" } : {}),
      "idempotency-key": event.event_id,
    },
  };
}

/** Classifies an error as permanent or retryable. The broker's text may contain names, so it stays in `cause`. */
function classifyError(cause: unknown): Error {
  if (cause instanceof EgressRefused) return new PermanentError(cause.message, { cause });
  const reason = errorCodes(cause).flatMap((code) => permanent.get(code) ?? [])[0];
  return reason
    ? new PermanentError(reason, { cause })
    : new Error("the event hub did not accept the event", { cause });
}

/** Returns the client's error codes. After retries the error contains one error per attempt. */
function errorCodes(error: unknown): string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(errorCodes);
  return [String(Reflect.get(Object(error), "code"))];
}
