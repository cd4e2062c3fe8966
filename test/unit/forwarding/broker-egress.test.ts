import { afterEach, expect, test, vi } from "vitest";
import { destinationDraft } from "../../../lib/events/forwarding/team-destination.ts";
import { ValidationFailed } from "../../../lib/runtime/errors.ts";
import { requireReachableBrokers } from "../../../lib/services/forwarding/broker-egress.ts";
import {
  blobStorageDraft,
  destinationInput,
  eventHubDraft,
  preferencesFor,
  pubsubDraft,
  rabbitmqDraft,
} from "./destination-drafts.ts";

afterEach(() => void vi.unstubAllEnvs());

const inside = "AccountName=account1;AccountKey=MTIzNDU2Nzg5MDEyMzQ1Njc4OTA=;BlobEndpoint=https://10.0.0.1/account1";
test.each([
  [
    "to a private address",
    "Endpoint=sb://10.0.0.1/;SharedAccessKeyName=n;SharedAccessKey=a",
    {},
    "azure_amqp.connection_string",
  ],
  [
    "to another port",
    "Endpoint=sb://ns.servicebus.windows.net:22/;SharedAccessKeyName=n;SharedAccessKey=a",
    {},
    "azure_amqp.connection_string",
  ],
  [
    "to a remote host without TLS",
    "Endpoint=sb://10.0.0.1/;SharedAccessKeyName=n;SharedAccessKey=a;UseDevelopmentEmulator=true",
    {},
    "azure_amqp.connection_string",
  ],
  [
    "to a private container",
    undefined,
    { event_hub_matchers: [{ event_type_prefix: "a", blob_storage: blobStorageDraft({ connection_string: inside }) }] },
    "azure_amqp.event_hub_matchers.0.blob_storage.connection_string",
  ],
] as const)(
  "a destination that leads %s is rejected, even next to a valid one",
  async (_, connection_string, about, place) => {
    vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1");
    const azure_amqp = eventHubDraft({
      ...(connection_string ? { connection_string } : { connection_string: HERE }),
      ...about,
    });
    expect(await refusedAt({ azure_amqp })).toBe(place);
  },
);

const HERE = "Endpoint=sb://127.0.0.1:5/;SharedAccessKeyName=n;SharedAccessKey=a;UseDevelopmentEmulator=true";
test.each([
  ["a Pub/Sub endpoint", { cloud_pubsub: pubsubDraft({ endpoint: "localhost:443" }) }, "cloud_pubsub.endpoint"],
  [
    "another port of Pub/Sub",
    { cloud_pubsub: pubsubDraft({ endpoint: "pubsub.example.com:22" }) },
    "cloud_pubsub.endpoint",
  ],
  ["a RabbitMQ broker", { rabbitmq: rabbitmqDraft({ uri: "amqps://user:word@10.0.0.1" }) }, "rabbitmq.uri"],
])("%s in a private network is rejected", async (_, about, place) => {
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1");
  expect(await refusedAt({ azure_amqp: eventHubDraft({ connection_string: HERE }), ...about })).toBe(place);
});

test.each([
  ["event hubs", {}, "azure_amqp.connection_string"],
  [
    "Pub/Sub topics",
    {
      azure_amqp: null,
      preferences: preferencesFor("cloud_pubsub"),
      cloud_pubsub: pubsubDraft({ endpoint: "127.0.0.1:5" }),
    },
    "cloud_pubsub.endpoint",
  ],
  [
    "RabbitMQ brokers",
    {
      azure_amqp: null,
      preferences: preferencesFor("rabbitmq"),
      rabbitmq: rabbitmqDraft({ uri: "amqp://u:p@127.0.0.1:5" }),
    },
    "rabbitmq.uri",
  ],
])("%s on the same machine are rejected when deployed, and accepted locally", async (_, about, place) => {
  const here = { azure_amqp: eventHubDraft({ connection_string: HERE }), ...about };
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "");
  expect(await refusedAt(here)).toBe(place);
  vi.stubEnv("ALLOW_LOOPBACK_WEBHOOKS", "1");
  expect(await refusedAt(here)).toBeUndefined();
});

/** The field of a draft whose address is not allowed. */
async function refusedAt(about: object): Promise<string | undefined> {
  const error = await requireReachableBrokers(destinationDraft.parse(destinationInput(about))).catch(
    (thrown) => thrown,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(ValidationFailed);
  return error.detail[0].loc.slice(1).join(".");
}
