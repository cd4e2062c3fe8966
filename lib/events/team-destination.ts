import * as z from "zod";
import { readEventHubConnection } from "./event-hub-connection.ts";

/** What a team can have its events sent to: its webhook endpoints, which get what they ask for anyway, and an event hub. */
export const destinationKinds = ["svix", "azure_amqp"] as const;
const kind = z.enum(destinationKinds);

const prefix = z.string().min(1).max(200);
const hubName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,255}$/, "not the name of an event hub");
const matcher = z.strictObject({ event_type_prefix: prefix, event_hub: hubName });

/** What is known of an event hub destination beside its credentials. */
const eventHub = z.strictObject({
  default_event_hub: hubName,
  event_hub_matchers: z
    .array(matcher)
    .max(100)
    .default([])
    .describe("The first one whose prefix an event type begins with names its hub"),
  compression: z.enum(["auto", "always"]).default("auto").describe("auto: bodies of 1 KiB or more"),
});

const preferences = z
  .strictObject({ preferred: kind, enabled: z.array(kind).min(1).max(destinationKinds.length) })
  .refine(({ preferred, enabled }) => enabled.includes(preferred), "the preferred kind must be enabled");

const settings = z.strictObject({
  event_type_prefixes: z.array(prefix).max(100).nullable().default(null).describe("null for all events"),
  push_historical_data: z.literal(false).default(false),
  provider_raw_data: z.literal(false).default(false),
  preferences,
});

const connectionString = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const read = readEventHubConnection(text);
    if (typeof read === "string") context.addIssue({ code: "custom", message: read });
  });

/** A destination as a management key sets it, for several teams at once. */
export const destinationDraft = settings
  .extend({
    team_ids: z.array(z.guid().toLowerCase()).min(1).max(50),
    azure_amqp: eventHub.extend({ connection_string: connectionString }).optional(),
  })
  .refine(
    ({ preferences, azure_amqp }) => azure_amqp !== undefined || !preferences.enabled.includes("azure_amqp"),
    "azure_amqp is enabled without its attributes",
  );

/** A team's destination as stored; the connection string is an envelope. */
export const teamDestination = settings.strip().extend({
  team_id: z.string(),
  updated_at: z.string(),
  azure_amqp: eventHub.strip().extend({ endpoint: z.string(), sealed_connection_string: z.string() }).nullable(),
});
export type TeamDestination = z.output<typeof teamDestination>;
/** An event hub as it is stored. */
export type EventHubDestination = NonNullable<TeamDestination["azure_amqp"]>;

/** A destination as answered: of the connection string nothing but the endpoint can be read. */
export const wireDestination = settings
  .extend({ team_id: z.guid(), azure_amqp: eventHub.extend({ connection_string: z.string() }).nullable() })
  .meta({ id: "TeamEtlPipeline" });

/** The answer for a stored destination. */
export function toWireDestination({
  updated_at: _,
  azure_amqp,
  ...rest
}: TeamDestination): z.output<typeof wireDestination> {
  if (azure_amqp === null) return { ...rest, azure_amqp };
  const { sealed_connection_string: __, endpoint, ...hub } = azure_amqp;
  return { ...rest, azure_amqp: { ...hub, connection_string: `Endpoint=sb://${endpoint}/;SharedAccessKey=***` } };
}

/** What the credentials of a team's destination are bound to. */
export const credentialsContext = (teamId: string) =>
  ({ purpose: "destination", team_id: teamId, record: "azure_amqp", field: "connection_string" }) as const;

/** The event hub that an event of this type goes to, if any. */
export function hubFor({ preferences, event_type_prefixes, azure_amqp }: TeamDestination, type: string) {
  if (azure_amqp === null || !preferences.enabled.includes("azure_amqp")) return undefined;
  if (event_type_prefixes !== null && !event_type_prefixes.some((begin) => type.startsWith(begin))) return undefined;
  const first = azure_amqp.event_hub_matchers.find(({ event_type_prefix }) => type.startsWith(event_type_prefix));
  return first?.event_hub ?? azure_amqp.default_event_hub;
}
