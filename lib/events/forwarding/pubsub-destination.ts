import { createPrivateKey } from "node:crypto";
import * as z from "zod";

/** The global Pub/Sub endpoint. A destination may set a regional endpoint instead. */
export const PUBSUB_ENDPOINT = "pubsub.googleapis.com";

const attributes = z.strictObject({
  project: z.string().regex(/^(?:[a-z][a-z0-9.-]{0,61}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, "must be the id of a project"),
  topic: z.string().regex(/^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/, "must be the name of a topic"),
  message_ordering: z.boolean().describe("Whether messages of a user keep their order; the topic must allow it"),
  endpoint: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(?::\d{1,5})?$/, "must be a host")
    .default(PUBSUB_ENDPOINT)
    .describe("Ordering holds within a region: set its endpoint, for example europe-west1-pubsub.googleapis.com"),
});

const privateKey = z.string().max(8_000).refine(isRsaKey, "must be an RSA key in PEM");

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/**
 * A topic of Google Cloud Pub/Sub as a management key sets it, with the key file of a service account that may publish.
 */
export const pubsubDraft = attributes.extend({
  credentials: z
    .object({ client_email: z.email().max(320), private_key: privateKey })
    .describe("The key file of a service account; other fields are ignored"),
});

/** As returned and stored. */
export const pubsubSettings = attributes
  .strip()
  .extend({ credentials: z.object({ client_email: z.string(), private_key: z.literal("***") }) });

/** The secret, which is stored encrypted. */
export const pubsubSecrets = z.object({ private_key: z.string() });

/** A topic with everything needed to publish to it. */
export type PubsubTopic = z.output<typeof pubsubDraft>;

/** Splits a draft into its readable settings and its secrets. */
export function splitPubsubSecrets({ credentials: { client_email, private_key }, ...rest }: PubsubTopic) {
  const open: z.output<typeof pubsubSettings> = { ...rest, credentials: { client_email, private_key: "***" } };
  return { open, secrets: { private_key } };
}
