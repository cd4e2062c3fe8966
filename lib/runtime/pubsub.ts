// The package as a whole, with subscribers and administration, is twice as long.
import type { PublisherClient } from "@google-cloud/pubsub/build/src/v1/publisher_client.js";
import type { PubsubTopic } from "../events/pubsub-destination.ts";
import { checkPubsub } from "./broker-egress.ts";
import { EgressRefused } from "./egress.ts";
import { PermanentError } from "./errors.ts";
import { withGuardedSockets } from "./guarded-sockets.ts";
import { KeptClients } from "./kept-clients.ts";
import { ports } from "./ports.ts";
import { allFailed, contentOf, type Failures, ordered, type TeamEvent } from "./team-event.ts";

/** One call with the client's own retries takes no longer; the queue tries again later. */
const CALL_TIMEOUT_MS = 10_000;
/** Status codes of gRPC of which trying again changes nothing. */
const permanent = new Map([
  [3, "the topic refused the event"],
  [5, "there is no topic of this name"],
  [7, "the topic refused the credentials"],
  [9, "the topic can not take events"],
  [16, "the topic refused the credentials"],
]);
/** Those that the client itself tries again within the time of a call: too much, internal, unavailable. */
const RETRIED_CODES = [8, 13, 14];

const clients = new KeptClients<PublisherClient>((client) => client.close());

/**
 * Publishes events to a topic of Google Cloud Pub/Sub, those of one user in one request in their order. The client is
 * kept while the container is warm and resolves its name again for each connection, so its sockets are guarded. The credentials are never sent: the client signs a token with them.
 * @returns why single events failed.
 */
export async function sendToPubsub(topic: PubsubTopic, events: readonly TeamEvent[]): Promise<Failures> {
  try {
    const address = await checkPubsub(topic.endpoint);
    return await withGuardedSockets(address ?? "", () => publishAll(topic, events));
  } catch (error) {
    return allFailed(events, classified(error));
  }
}

async function publishAll(topic: PubsubTopic, events: readonly TeamEvent[]): Promise<Failures> {
  const { client } = await clients.use(JSON.stringify([topic.endpoint, topic.credentials]), () => connect(topic));
  const groups = [...Map.groupBy(events, ordered)];
  const failures = await Promise.all(groups.map(([key, some]) => publish(client, topic, key, some)));
  return new Map(failures.flatMap((failed) => [...failed]));
}

async function connect({ endpoint, credentials }: PubsubTopic): Promise<PublisherClient> {
  const [servicePath = "", port] = endpoint.split(":");
  // The client is heavy, and most teams have no topic.
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
  events: readonly TeamEvent[],
): Promise<Failures> {
  const messages = events.map((one) => {
    const { content, isCompressed } = contentOf(one);
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
    return allFailed(events, classified(error));
  }
}

const callOptions = {
  // Else the client would put what is published at the same time into one request, which may have one ordering key.
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

/** A failure as the queue is to take it: some are for good. Texts of the other side may carry names; they stay a cause. */
function classified(cause: unknown): Error {
  if (cause instanceof EgressRefused) return new PermanentError(cause.message, { cause });
  const reason = permanent.get(Reflect.get(Object(cause), "code"));
  return reason ? new PermanentError(reason, { cause }) : new Error("the topic did not take the event", { cause });
}
