// Deep import: the whole package, with subscribers and administration, is twice as large.
import type { PublisherClient } from "@google-cloud/pubsub/build/src/v1/publisher_client.js";
import type { PubsubTopic } from "../../events/forwarding/pubsub-destination.ts";
import { EgressRefused } from "../../runtime/egress.ts";
import { PermanentError } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import { checkPubsub } from "./broker-egress.ts";
import { type BrokerEvent, encodeBody, eventOrderingKey, failAll, type SendFailures } from "./broker-event.ts";
import { ClientPool } from "./client-pool.ts";
import { withGuardedSockets } from "./guarded-sockets.ts";

/** Maximum duration of one call with the client's own retries. The queue retries later. */
const CALL_TIMEOUT_MS = 10_000;
/** gRPC status codes that a retry does not change, with their reasons. */
const permanent = new Map([
  [3, "the topic refused the event"],
  [5, "the topic does not exist"],
  [7, "the topic refused the credentials"],
  [9, "the topic cannot accept events"],
  [16, "the topic refused the credentials"],
]);
/** gRPC status codes that the client retries within a call: RESOURCE_EXHAUSTED, INTERNAL, UNAVAILABLE. */
const RETRIED_CODES = [8, 13, 14];

const clients = new ClientPool<PublisherClient>((client) => client.close());

/**
 * Publishes events to a Google Cloud Pub/Sub topic. One request carries the events of one user, in order. A warm
 * container reuses the client. The client resolves the name for each connection, so its sockets are guarded. The client
 * never sends the credentials: it signs a token with them.
 * @returns the error of each failed event.
 */
export async function sendToPubsub(topic: PubsubTopic, events: readonly BrokerEvent[]): Promise<SendFailures> {
  try {
    const address = await checkPubsub(topic.endpoint);
    return await withGuardedSockets(address ?? "", () => publishAll(topic, events));
  } catch (error) {
    return failAll(events, classifyError(error));
  }
}

async function publishAll(topic: PubsubTopic, events: readonly BrokerEvent[]): Promise<SendFailures> {
  const { client } = await clients.acquire(JSON.stringify([topic.endpoint, topic.credentials]), () => connect(topic));
  const groups = [...Map.groupBy(events, eventOrderingKey)];
  const failures = await Promise.all(groups.map(([key, some]) => publish(client, topic, key, some)));
  return new Map(failures.flatMap((failed) => [...failed]));
}

async function connect({ endpoint, credentials }: PubsubTopic): Promise<PublisherClient> {
  const [servicePath = "", port] = endpoint.split(":");
  // Imported lazily: the client is large, and most teams have no topic.
  const { default: publisher } = await import("@google-cloud/pubsub/build/src/v1/publisher_client.js");
  const { client_email, private_key } = credentials;
  return new publisher.PublisherClient({
    servicePath,
    port: Number(port ?? 443),
    credentials: { client_email, private_key },
    "grpc.enable_http_proxy": 0,
  });
}

async function publish(
  client: PublisherClient,
  { project, topic, message_ordering }: PubsubTopic,
  key: string,
  events: readonly BrokerEvent[],
): Promise<SendFailures> {
  const messages = events.map((one) => {
    const { content, isCompressed } = encodeBody(one);
    const attributes = {
      "event-type": one.event.type,
      "blob-type": "json",
      ...(isCompressed ? { "blob-codec": "gzip" } : {}),
      "idempotency-key": one.event.event_id,
    };
    return { data: content, attributes, ...(message_ordering ? { orderingKey: key } : {}) };
  });
  const request = { topic: `projects/${project}/topics/${encodeURIComponent(topic)}`, messages };
  try {
    await ports().outbound(() => client.publish(request, callOptions));
    return new Map();
  } catch (error) {
    return failAll(events, classifyError(error));
  }
}

const callOptions = {
  // With bundling the client would merge concurrent calls into one request, which can have one ordering key only.
  isBundling: false,
  retry: {
    retryCodes: RETRIED_CODES,
    backoffSettings: {
      initialRetryDelayMillis: 200,
      retryDelayMultiplier: 2,
      maxRetryDelayMillis: 2_000,
      initialRpcTimeoutMillis: 3_000,
      rpcTimeoutMultiplier: 1,
      maxRpcTimeoutMillis: 3_000,
      totalTimeoutMillis: CALL_TIMEOUT_MS,
    },
  },
};

/** Classifies an error as permanent or retryable. The broker's text may contain names, so it stays in `cause`. */
function classifyError(cause: unknown): Error {
  if (cause instanceof EgressRefused) return new PermanentError(cause.message, { cause });
  const reason = permanent.get(Reflect.get(Object(cause), "code"));
  return reason ? new PermanentError(reason, { cause }) : new Error("the topic did not accept the event", { cause });
}
