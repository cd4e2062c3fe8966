import { expect, test } from "vitest";
import { createEventHubRouter } from "../../../lib/events/forwarding/event-hub-destination.ts";
import { parseRabbitmqUri } from "../../../lib/events/forwarding/rabbitmq-destination.ts";
import {
  acceptsEventType,
  destinationDraft,
  splitDestinationSecrets,
  teamDestination,
  toWireDestination,
  wireDestination,
} from "../../../lib/events/forwarding/team-destination.ts";
import {
  blobStorageDraft,
  destinationInput,
  eventHubDraft,
  generatePrivateKey,
  preferencesFor,
  pubsubDraft,
  RSA_KEY,
  rabbitmqDraft,
  SECRET,
  TEAM_ID,
} from "./destination-drafts.ts";

/** The fields for which a draft is rejected. */
const places = (about: object) =>
  destinationDraft.safeParse(destinationInput(about)).error?.issues.map(({ path }) => path.join("."));

const everything = destinationInput({
  preferences: preferencesFor("azure_amqp", "cloud_pubsub", "rabbitmq", "svix"),
  azure_amqp: eventHubDraft({ event_hub_matchers: [{ event_type_prefix: "raw.", blob_storage: blobStorageDraft() }] }),
  cloud_pubsub: pubsubDraft(),
  rabbitmq: rabbitmqDraft(),
  svix: { regional: true },
});

test("the response for a destination masks its secrets and equals the input otherwise", () => {
  const { open, secrets } = splitDestinationSecrets(destinationDraft.parse(everything));
  const stored = teamDestination.parse({
    ...open,
    team_id: TEAM_ID,
    updated_at: "2026-05-01T08:00:00.000Z",
    sealed: {},
  });
  const answer = wireDestination.parse(toWireDestination(stored));
  expect(JSON.stringify(answer)).not.toContain(SECRET);
  expect(JSON.stringify(answer)).not.toContain(RSA_KEY.split("\n")[1]);
  expect(answer.azure_amqp).toEqual({
    connection_string: "Endpoint=sb://ns.servicebus.windows.net/;SharedAccessKey=***",
    default_event_hub: "all",
    event_hub_matchers: [
      {
        event_type_prefix: "raw.",
        blob_storage: {
          connection_string: "BlobEndpoint=https://account1.blob.core.windows.net;AccountKey=***",
          container_name: "raw",
        },
      },
    ],
    compression: "auto",
  });
  expect(answer.rabbitmq).toEqual({ uri: "amqps://***@rabbit.example.com/health", exchange: "events" });
  expect(answer.cloud_pubsub?.credentials).toEqual({
    client_email: "a@project-1.iam.gserviceaccount.com",
    private_key: "***",
  });
  expect(answer.svix).toEqual({ regional: true });
  expect(JSON.stringify(secrets).split(SECRET)).toHaveLength(4);
});

test.each([
  ["a kind that is enabled without attributes", { azure_amqp: null }, ["azure_amqp"]],
  ["a topic without attributes", { preferences: preferencesFor("cloud_pubsub") }, ["cloud_pubsub"]],
  [
    "a preferred kind that is not enabled",
    { preferences: { preferred: "svix", enabled: ["azure_amqp"] } },
    ["preferences"],
  ],
  ["an unknown kind", { preferences: preferencesFor("fax") }, ["preferences.preferred", "preferences.enabled.0"]],
  ["a prefix of no event type", { event_type_prefixes: ["labtest.", "foo."] }, ["event_type_prefixes.1"]],
  ["raw data, which is not supported", { provider_raw_data: true }, ["provider_raw_data"]],
  [
    "a key that can not sign",
    {
      cloud_pubsub: pubsubDraft({
        credentials: { client_email: "a@b.example", private_key: generatePrivateKey("ec") },
      }),
    },
    ["cloud_pubsub.credentials.private_key"],
  ],
  [
    "a broker without TLS",
    { rabbitmq: rabbitmqDraft({ uri: "amqp://user:word@rabbit.example.com" }) },
    ["rabbitmq.uri"],
  ],
])("%s is rejected with its location", (_, about, expected) => {
  expect(places(about)).toEqual(expected);
});

test.each([
  ["left out", {}],
  ["null", { event_type_prefixes: null, push_historical_data: null, provider_raw_data: null, preferences: null }],
])("settings that are %s have their defaults: all types, no histories, webhooks alone", (_, about) => {
  const { open } = splitDestinationSecrets(destinationDraft.parse({ team_ids: [TEAM_ID], ...about }));
  expect(open).toEqual({
    event_type_prefixes: null,
    push_historical_data: false,
    provider_raw_data: false,
    preferences: { preferred: "svix", enabled: ["svix"] },
    ...{ azure_amqp: null, cloud_pubsub: null, rabbitmq: null },
  });
});

const at = (about: object) => places({ azure_amqp: eventHubDraft({ event_hub_matchers: [about] }) });
test.each([
  ["with prefix and expression", { event_type_prefix: "a", event_type_regex: "a", event_hub: "b" }, ""],
  ["without prefix and expression", { event_hub: "b" }, ""],
  ["with hub and container", { event_type_prefix: "a", event_hub: "b", blob_storage: blobStorageDraft() }, ""],
  ["without hub and container", { event_type_prefix: "a" }, ""],
  ["with an unsupported expression", { event_type_regex: "(?=a)b", event_hub: "b" }, ".event_type_regex"],
  [
    "with an invalid container name",
    { event_type_prefix: "a", blob_storage: blobStorageDraft({ container_name: "-" }) },
    ".blob_storage.container_name",
  ],
])("a matcher %s is rejected", (_, about, place) => {
  expect(at(about)).toEqual([`azure_amqp.event_hub_matchers.0${place}`]);
});

test("the first matching matcher routes an event, else the default hub receives it", () => {
  const event_hub_matchers = [
    { event_type_regex: "\\.(order|result)\\.", event_hub: "first" },
    { event_type_prefix: "labtest.", event_hub: "second" },
    { event_type_prefix: "daily.", blob_storage: blobStorageDraft() },
    { event_type_prefix: "daily.data.steps.", event_hub: "never" },
  ];
  const { open, secrets } = splitDestinationSecrets(
    destinationDraft.parse(destinationInput({ azure_amqp: eventHubDraft({ event_hub_matchers }) })),
  );
  const routeOf = createEventHubRouter(open.azure_amqp!, secrets.azure_amqp!);
  expect(routeOf("labtest.order.created")).toEqual({ hub: "first" });
  expect(routeOf("labtest.appointment.created")).toEqual({ hub: "second" });
  expect(routeOf("daily.data.steps.created")).toEqual({
    container: "raw",
    connectionString: blobStorageDraft().connection_string,
  });
  expect(routeOf("provider.connection.created")).toEqual({ hub: "all" });
});

test.each([
  ["all types when no prefix is set", null, true],
  ["a type with a listed prefix", ["provider.", "labtest."], true],
  ["no other type", ["labtest.result."], false],
])("a team's brokers get %s", (_, event_type_prefixes, expected) => {
  const { open } = splitDestinationSecrets(destinationDraft.parse(destinationInput({ event_type_prefixes })));
  const stored = { ...open, team_id: TEAM_ID, updated_at: "", sealed: {} };
  expect(acceptsEventType(stored, "labtest.order.created")).toBe(expected);
  expect(
    acceptsEventType({ ...stored, preferences: { preferred: "svix", enabled: ["svix"] } }, "labtest.order.created"),
  ).toBe(false);
});

test("the URI of a broker is parsed", () => {
  const rabbit = { protocol: "amqps", hostname: "rabbit.example.com", username: "us er", password: "p@ss" };
  expect(parseRabbitmqUri("amqps://us%20er:p%40ss@rabbit.example.com")).toEqual({ ...rabbit, port: 5671, vhost: "/" });
  expect(parseRabbitmqUri("amqps://us%20er:p%40ss@rabbit.example.com:443/a%2Fb")).toEqual({
    ...rabbit,
    port: 443,
    vhost: "a/b",
  });
});

test.each([
  "rabbit.example.com",
  "https://user:word@rabbit.example.com",
  "amqp://user:word@rabbit.example.com",
  "amqps://rabbit.example.com",
  "amqps://user@rabbit.example.com",
  "amqps://user:word@rabbit.example.com:22",
  "amqps://user:word@rabbit.example.com?heartbeat=0",
  "amqps://user:%zz@rabbit.example.com",
])("the broker URI %s is rejected with a reason", (uri) => {
  expect(parseRabbitmqUri(uri)).toEqual(expect.any(String));
});
