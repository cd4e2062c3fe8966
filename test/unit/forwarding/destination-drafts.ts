import { generateKeyPairSync } from "node:crypto";

/** The id of the team. */
export const TEAM_ID = "0d5c6d0d-3c11-4bd4-8f0e-6a1f6f3e1df0";
/** Generates a private key in PEM. */
export const generatePrivateKey = (type: "rsa" | "ec") => {
  const pem = { type: "pkcs8", format: "pem" } as const;
  const pair =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return pair.privateKey.export(pem).toString();
};
/** An RSA private key, which can sign. */
export const RSA_KEY = generatePrivateKey("rsa");

/** A marker in every secret of a draft except the private key. It must never appear in a response. */
export const SECRET = "c2VjcmV0c2VjcmV0c2VjcmV0";
/** A blob storage container. */
export const blobStorageDraft = (about: object = {}) => ({
  connection_string: `AccountName=account1;AccountKey=${SECRET}`,
  container_name: "raw",
  ...about,
});
/** Event hubs. */
export const eventHubDraft = (about: object = {}) => ({
  connection_string: `Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKeyName=n;SharedAccessKey=${SECRET}`,
  default_event_hub: "all",
  ...about,
});
/** A Pub/Sub topic. */
export const pubsubDraft = (about: object = {}) => ({
  project: "project-1",
  topic: "events",
  message_ordering: true,
  credentials: { type: "service_account", client_email: "a@project-1.iam.gserviceaccount.com", private_key: RSA_KEY },
  ...about,
});
/** A RabbitMQ exchange. */
export const rabbitmqDraft = (about: object = {}) => ({
  uri: `amqps://user:${SECRET}@rabbit.example.com/health`,
  exchange: "events",
  ...about,
});
/** Preferences for one kind of destination, with additional enabled kinds. */
export const preferencesFor = (preferred: string, ...more: string[]) => ({ preferred, enabled: [preferred, ...more] });
/** The input that sets a destination. */
export const destinationInput = (about: object) => ({
  team_ids: [TEAM_ID],
  preferences: preferencesFor("azure_amqp"),
  azure_amqp: eventHubDraft(),
  ...about,
});
