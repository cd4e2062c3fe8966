import * as z from "zod";
import { blobStorageConnection, maskBlobStorageConnection } from "./blob-storage-connection.ts";
import { parseEventHubConnection } from "./event-hub-connection.ts";
import { type EventTypePattern, parseEventTypePattern } from "./event-type-pattern.ts";

/** Prefix of event types. */
export const eventTypePrefix = z.string().min(1).max(200);

const hubName = z.string().regex(/^[A-Za-z0-9][\w.-]{0,255}$/, "must be the name of an event hub");
const pattern = z
  .string()
  .min(1)
  .max(200)
  .superRefine((text, context) => {
    const read = parseEventTypePattern(text);
    if (typeof read === "string") context.addIssue({ code: "custom", message: read });
  })
  .describe(
    "Characters, `.`, `\\w`, `\\d`, classes, groups, `|`, `*`, `+`, `?`, `^` and `$`; matches anywhere in the type",
  );

const container = z.string().regex(/^[a-z0-9](?:[a-z0-9]|-(?=[a-z0-9])){2,62}$/, "must be the name of a container");
const blobStorage = z.strictObject({ connection_string: blobStorageConnection, container_name: container });

const matcher = z.strictObject({
  event_type_prefix: eventTypePrefix.nullish(),
  event_type_regex: pattern.nullish(),
  event_hub: hubName.nullish(),
});
const isOne = (...values: unknown[]) => values.filter((value) => value !== null && value !== undefined).length === 1;
const draftMatcher = matcher
  .extend({ blob_storage: blobStorage.nullish() })
  .refine(
    ({ event_type_prefix, event_type_regex }) => isOne(event_type_prefix, event_type_regex),
    "either event_type_prefix or event_type_regex",
  )
  .refine(({ event_hub, blob_storage }) => isOne(event_hub, blob_storage), "either event_hub or blob_storage");
const storedMatcher = matcher
  .strip()
  .extend({ blob_storage: blobStorage.extend({ connection_string: z.string() }).nullish() });

const compression = z.enum(["auto", "always"]).default("auto").describe("auto: bodies of 1 KiB or more");
const connectionString = z
  .string()
  .max(2_000)
  .superRefine((text, context) => {
    const read = parseEventHubConnection(text);
    if (typeof read === "string") context.addIssue({ code: "custom", message: read });
  });

/** Event hubs of an Azure Event Hubs namespace, and blob containers, as a management key sets them. */
export const eventHubDraft = z.strictObject({
  connection_string: connectionString,
  default_event_hub: hubName,
  event_hub_matchers: z
    .array(draftMatcher)
    .max(100)
    .default([])
    .describe("The first matcher that matches the event type selects the target; otherwise the default hub"),
  compression,
});
type EventHubDraft = z.output<typeof eventHubDraft>;

/** As returned and stored: connection strings are masked, only their target is readable. */
export const eventHubSettings = z.object({
  connection_string: z.string(),
  default_event_hub: hubName,
  event_hub_matchers: z.array(storedMatcher),
  compression,
});
type EventHubSettings = z.output<typeof eventHubSettings>;

/** The secrets, which are stored encrypted. */
export const eventHubSecrets = z.object({
  connection_string: z.string(),
  /** Connection string of each matcher's container; null for matchers of event hubs. */
  blob_storage: z.array(z.string().nullable()),
});
type EventHubSecrets = z.output<typeof eventHubSecrets>;

/** Splits a draft into its readable settings and its secrets. */
export function splitEventHubSecrets({ connection_string, event_hub_matchers, ...rest }: EventHubDraft) {
  const namespace = parseEventHubConnection(connection_string);
  const host = typeof namespace === "string" ? "" : namespace.host;
  const matchers = event_hub_matchers.map(({ blob_storage, ...rest }) => {
    if (!blob_storage) return rest;
    const { container_name, connection_string } = blob_storage;
    return {
      ...rest,
      blob_storage: { container_name, connection_string: maskBlobStorageConnection(connection_string) },
    };
  });
  const masked = `Endpoint=sb://${host}/;SharedAccessKey=***`;
  const open: EventHubSettings = { ...rest, connection_string: masked, event_hub_matchers: matchers };
  const blob_storage = event_hub_matchers.map((one) => one.blob_storage?.connection_string ?? null);
  return { open, secrets: { connection_string, blob_storage } satisfies EventHubSecrets };
}

/** Target of one event: an event hub, or a container of a storage account. */
export type EventHubRoute =
  | { readonly hub: string }
  | { readonly container: string; readonly connectionString: string };

/**
 * Creates a function that returns the target of an event type. The first matching matcher decides; otherwise the
 * default hub.
 */
export function createEventHubRouter(
  { default_event_hub, event_hub_matchers }: EventHubSettings,
  secrets: EventHubSecrets,
) {
  const matchers = event_hub_matchers.map(({ event_type_prefix, event_type_regex, event_hub, blob_storage }, index) => {
    const connectionString = secrets.blob_storage[index] ?? "";
    const route: EventHubRoute = blob_storage
      ? { container: blob_storage.container_name, connectionString }
      : { hub: event_hub ?? default_event_hub };
    return { fits: toEventTypePattern(event_type_prefix, event_type_regex), route };
  });
  return (type: string): EventHubRoute => matchers.find(({ fits }) => fits(type))?.route ?? { hub: default_event_hub };
}

function toEventTypePattern(prefix: string | null | undefined, regex: string | null | undefined): EventTypePattern {
  if (prefix) return (type) => type.startsWith(prefix);
  const read = parseEventTypePattern(regex ?? "");
  return typeof read === "string" ? () => false : read;
}
