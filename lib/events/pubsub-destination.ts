import { createPrivateKey } from "node:crypto";
import * as z from "zod";

/** Where Pub/Sub is reached unless a destination names one of its regional endpoints. */
export const PUBSUB_ENDPOINT = "pubsub.googleapis.com";

const attributes = z.strictObject({
  project: z.string().regex(/^(?:[a-z][a-z0-9.-]{0,61}:)?[a-z][a-z0-9-]{4,28}[a-z0-9]$/, "not the id of a project"),
  topic: z.string().regex(/^(?!goog)[A-Za-z][\w.~+%-]{2,254}$/, "not the name of a topic"),
  message_ordering: z.boolean().describe("Whether the messages of a user are kept in order; the topic must allow it"),
  endpoint: z
    .string()
    .regex(/^[A-Za-z0-9.-]+(?::\d{1,5})?$/, "not a host")
    .default(PUBSUB_ENDPOINT)
    .describe("Ordering holds within a region: name its endpoint, europe-west1-pubsub.googleapis.com for one"),
});

const privateKey = z.string().max(8_000).refine(isRsaKey, "not an RSA key in PEM");

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "rsa";
  } catch {
    return false;
  }
}

/** A topic of Google Cloud Pub/Sub as a management key sets it, with the key file of a service account that may publish. */
export const pubsubDraft = attributes.extend({
  credentials: z
    .object({ client_email: z.email().max(320), private_key: privateKey })
    .describe("The key file of a service account; anything else in it is not looked at"),
});

/** As answered and stored. */
export const pubsubOpen = attributes
  .strip()
  .extend({ credentials: z.object({ client_email: z.string(), private_key: z.literal("***") }) });

/** What of it is sealed. */
export const pubsubSecrets = z.object({ private_key: z.string() });

/** A topic with all that sending to it takes. */
export type PubsubTopic = z.output<typeof pubsubDraft>;

/** Parts what may be answered from what is sealed. */
export function partPubsub({ credentials: { client_email, private_key }, ...rest }: PubsubTopic) {
  const open: z.output<typeof pubsubOpen> = { ...rest, credentials: { client_email, private_key: "***" } };
  return { open, secrets: { private_key } };
}
