import * as z from "zod";
import {
  type BrokerKind,
  brokerKinds,
  destinationKinds,
  webhooksAlone,
} from "../../domain/management/destination-kinds.ts";
import { isTypePrefix } from "../catalogue/catalogue.ts";
import { eventHubDraft, eventHubSettings, eventTypePrefix, splitEventHubSecrets } from "./event-hub-destination.ts";
import { pubsubDraft, pubsubSettings, splitPubsubSecrets } from "./pubsub-destination.ts";
import { rabbitmqDraft, rabbitmqSettings, splitRabbitmqSecrets } from "./rabbitmq-destination.ts";

const kind = z.enum(destinationKinds);

const preferences = z
  .strictObject({
    preferred: kind.describe("The only destination with retries after a failure"),
    enabled: z.array(kind).min(1).max(destinationKinds.length).describe("Each receives every event"),
  })
  .refine(({ preferred, enabled }) => enabled.includes(preferred), "the preferred kind must be enabled");

const PUSHES_HISTORIES = "Whether historical data is also sent as daily events";

const settings = z.strictObject({
  event_type_prefixes: z.array(eventTypePrefix).max(100).nullable().default(null).describe("null for all events"),
  push_historical_data: z.boolean().default(false).describe(PUSHES_HISTORIES),
  provider_raw_data: z.literal(false).default(false),
  preferences,
});
const webhooks = z.strictObject({ regional: z.literal(true).default(true) }).describe("Webhooks: no settings");

/** A destination as a management key sets it, for several teams at once. Null stands for the default of a setting. */
export const destinationDraft = settings
  .extend({
    team_ids: z.array(z.guid().toLowerCase()).min(1).max(50),
    event_type_prefixes: z
      .array(eventTypePrefix.refine(isTypePrefix, "must be the prefix of an event type"))
      .max(100)
      .nullish()
      .transform((given) => given ?? null)
      .describe("null for all events"),
    push_historical_data: z
      .boolean()
      .nullish()
      .transform((given) => given ?? false)
      .describe(PUSHES_HISTORIES),
    provider_raw_data: z
      .literal(false)
      .nullish()
      .transform((given) => given ?? false),
    preferences: preferences
      .nullish()
      .transform((given) => given ?? webhooksAlone)
      .describe("Default: only svix, so no broker receives events"),
    azure_amqp: eventHubDraft.nullish(),
    cloud_pubsub: pubsubDraft.nullish(),
    rabbitmq: rabbitmqDraft.nullish(),
    svix: webhooks.nullish(),
  })
  .superRefine(({ preferences, ...all }, context) => {
    for (const kind of brokerKinds) {
      if (all[kind] || !preferences.enabled.includes(kind)) continue;
      context.addIssue({ code: "custom", path: [kind], message: "enabled without its attributes" });
    }
  });
/** A parsed destination draft. */
export type DestinationDraft = z.output<typeof destinationDraft>;

const settingsByKind = {
  azure_amqp: eventHubSettings.nullable(),
  cloud_pubsub: pubsubSettings.nullable(),
  rabbitmq: rabbitmqSettings.nullable(),
};

/** A destination as returned. Secrets can be set, but never read. */
export const wireDestination = settings
  .extend({ team_id: z.guid(), ...settingsByKind, svix: webhooks.nullable() })
  .meta({ id: "TeamEtlPipeline" });

/** A stored destination. The secrets of each kind are one encrypted envelope. */
export const teamDestination = settings.strip().extend({
  team_id: z.string(),
  updated_at: z.string(),
  ...settingsByKind,
  sealed: z.partialRecord(z.enum(brokerKinds), z.string()),
});
export type TeamDestination = z.output<typeof teamDestination>;

/** Splits a draft into its readable settings and the secrets of each kind. */
export function splitDestinationSecrets({
  team_ids: _,
  svix: __,
  azure_amqp,
  cloud_pubsub,
  rabbitmq,
  ...rest
}: DestinationDraft) {
  const hub = azure_amqp ? splitEventHubSecrets(azure_amqp) : undefined;
  const topic = cloud_pubsub ? splitPubsubSecrets(cloud_pubsub) : undefined;
  const exchange = rabbitmq ? splitRabbitmqSecrets(rabbitmq) : undefined;
  const open = {
    ...rest,
    azure_amqp: hub?.open ?? null,
    cloud_pubsub: topic?.open ?? null,
    rabbitmq: exchange?.open ?? null,
  };
  const secrets = { azure_amqp: hub?.secrets, cloud_pubsub: topic?.secrets, rabbitmq: exchange?.secrets };
  return { open, secrets };
}

/** Returns the response for a stored destination. */
export function toWireDestination({
  updated_at: _,
  sealed: __,
  ...open
}: TeamDestination): z.output<typeof wireDestination> {
  return { ...open, svix: open.preferences.enabled.includes("svix") ? { regional: true } : null };
}

/** Returns the encryption context of a destination's secrets. */
export const destinationSecretContext = (teamId: string, kind: BrokerKind) =>
  ({ purpose: "destination", team_id: teamId, record: kind, field: "secrets" }) as const;

/** Returns the brokers that receive events, without webhooks. */
export const enabledBrokers = ({ preferences }: TeamDestination): BrokerKind[] =>
  brokerKinds.filter((kind) => preferences.enabled.includes(kind));

/** Whether the team's brokers receive events of a type. */
export function acceptsEventType(destination: TeamDestination, type: string): boolean {
  const { event_type_prefixes } = destination;
  const isAsked = event_type_prefixes === null || event_type_prefixes.some((begin) => type.startsWith(begin));
  return isAsked && enabledBrokers(destination).length > 0;
}
