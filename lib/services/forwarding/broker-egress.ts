import { parseBlobStorageConnection } from "../../events/forwarding/blob-storage-connection.ts";
import { parseEventHubConnection } from "../../events/forwarding/event-hub-connection.ts";
import { PUBSUB_ENDPOINT } from "../../events/forwarding/pubsub-destination.ts";
import { parseRabbitmqUri, type RabbitmqConnection } from "../../events/forwarding/rabbitmq-destination.ts";
import type { DestinationDraft } from "../../events/forwarding/team-destination.ts";
import { EgressRefused, resolveForEgress } from "../../runtime/egress.ts";
import { ValidationFailed } from "../../runtime/errors.ts";

const LOOPBACK_HOST = /^127\.0\.0\.1(?::\d+)?$/;

/** Checks that a host is on the public internet. The local cloud also allows loopback. @returns its address. */
async function resolveBroker(host: string): Promise<string> {
  const { address } = await resolveForEgress(new URL(LOOPBACK_HOST.test(host) ? `http://${host}` : `https://${host}`));
  return address;
}

/**
 * Checks the Event Hubs namespace of a connection string.
 * @returns its address. @throws EgressRefused unless it is on the public internet.
 */
export async function checkEventHub(connectionString: string): Promise<string> {
  const read = parseEventHubConnection(connectionString);
  if (typeof read === "string") throw new EgressRefused(read);
  const scheme = read.isEmulator ? "http" : "https";
  const { address } = await resolveForEgress(new URL(`${scheme}://${read.host.replace(/:5671$/, "")}`));
  return address;
}

/** Checks the storage account of a connection string. @returns the parsed string and the address to connect to. */
export async function checkBlobStorage(connectionString: string) {
  const read = parseBlobStorageConnection(connectionString);
  if (typeof read === "string") throw new EgressRefused(read);
  const { address } = await resolveForEgress(new URL(read.endpoint));
  return { ...read, address };
}

/**
 * Checks a Pub/Sub endpoint. The public endpoint needs no check, because no team controls its name.
 * @returns its address if it was checked. @throws EgressRefused unless it is on the public internet.
 */
export async function checkPubsub(endpoint: string): Promise<string | undefined> {
  return endpoint === PUBSUB_ENDPOINT ? undefined : resolveBroker(endpoint);
}

/** Checks the broker of a RabbitMQ URI. @returns the parsed URI and the address to connect to. */
export async function checkRabbitmq(uri: string): Promise<RabbitmqConnection & { readonly address: string }> {
  const read = parseRabbitmqUri(uri);
  if (typeof read === "string") throw new EgressRefused(read);
  return { ...read, address: await resolveBroker(read.hostname) };
}

/** @throws ValidationFailed if a broker of a destination must not receive requests. */
export async function requireReachableBrokers({ azure_amqp, cloud_pubsub, rabbitmq }: DestinationDraft): Promise<void> {
  const at = (path: (string | number)[], check: Promise<unknown> | null | undefined) =>
    check?.catch(refuse(["body", ...path]));
  await at(["azure_amqp", "connection_string"], azure_amqp && checkEventHub(azure_amqp.connection_string));
  for (const [index, { blob_storage }] of azure_amqp?.event_hub_matchers.entries() ?? []) {
    const path = ["azure_amqp", "event_hub_matchers", index, "blob_storage", "connection_string"];
    await at(path, blob_storage ? checkBlobStorage(blob_storage.connection_string) : undefined);
  }
  await at(["cloud_pubsub", "endpoint"], cloud_pubsub ? checkPubsub(cloud_pubsub.endpoint) : undefined);
  await at(["rabbitmq", "uri"], rabbitmq ? checkRabbitmq(rabbitmq.uri) : undefined);
}

const refuse = (path: (string | number)[]) => (error: unknown) => {
  const reason = error instanceof EgressRefused ? error.message : "the host cannot be resolved";
  throw ValidationFailed.at(path, `Events cannot be sent there: ${reason}`);
};
