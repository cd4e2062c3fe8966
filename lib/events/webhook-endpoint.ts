import * as z from "zod";
import { isSubscribable } from "./catalogue.ts";

/** Why an endpoint is disabled: its team said so, it answered 410, or it failed for days. */
export const disabledReason = z.enum(["manual", "gone", "failing"]);
export type DisabledReason = z.output<typeof disabledReason>;

/** A team's webhook endpoint as stored; secrets and headers are envelopes, bound to team and endpoint. */
export const webhookEndpoint = z.object({
  endpoint_id: z.string(),
  team_id: z.string(),
  url: z.string(),
  description: z.string(),
  /** Event types that the endpoint wants; empty for all. */
  filter_types: z.array(z.string()),
  disabled: z.boolean(),
  disabled_reason: disabledReason.nullable().default(null),
  sealed_secret: z.string(),
  /** The secret before the present one, with which messages are signed too until it expires. */
  previous_secret: z.object({ sealed_secret: z.string(), expires_at: z.string() }).nullable().default(null),
  /** Headers that the team wants on its webhooks: JSON of the headers, sealed. */
  headers: z.string().nullable().default(null),
  /** Attempts a second at most; null for no limit. */
  rate_limit: z.number().int().positive().nullable().default(null),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** Whether the endpoint is to get events of this type. */
export function wants(endpoint: WebhookEndpoint, eventType: string): boolean {
  if (endpoint.disabled) return false;
  return endpoint.filter_types.length === 0 || endpoint.filter_types.includes(eventType);
}

/** What an endpoint's signing secret is bound to. */
export function secretContext(endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">) {
  return { purpose: "webhook-secret", team_id: endpoint.team_id, record: endpoint.endpoint_id, field: "secret" };
}

/** What an endpoint's headers are bound to. */
export function headersContext(endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">) {
  return { ...secretContext(endpoint), purpose: "webhook-headers", field: "headers" };
}

/** An event type to ask for. A misspelt one would be waited for in vain, so it is refused. */
const filterType = z
  .string()
  .max(200)
  .refine(isSubscribable, "not a type of event")
  .describe("A type of the webhooks in this document, or raw.<provider>.<kind>");

/** A signing secret of the team's own. */
export const webhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "whsec_ and 24 to 64 bytes in base64");

const url = z.url().max(2_000);
const description = z.string().max(1_000);
/** So long that all endpoints of a team have room in one list. */
const MOST_FILTER_CHARACTERS = 40_000;
const filterTypes = z
  .array(filterType)
  .max(500)
  .refine((types) => types.join().length <= MOST_FILTER_CHARACTERS, `more than ${MOST_FILTER_CHARACTERS} characters`);
const rateLimit = z.int().min(1).max(10_000).describe("Attempts a second at most; null for no limit");

/** What a team says of an endpoint when it creates one. */
export const webhookDraft = z.object({
  url,
  description: description.default(""),
  disabled: z.boolean().default(false),
  filter_types: filterTypes.nullish(),
  rate_limit: rateLimit.nullish(),
  secret: webhookSecret.nullish(),
});

/** What a team changes about an endpoint: null empties what can be empty, and leaves the rest as it is. */
export const webhookPatch = z.object({
  url: url.nullish(),
  description: description.nullish(),
  disabled: z.boolean().nullish(),
  filter_types: filterTypes.nullish(),
  rate_limit: rateLimit.nullish(),
});
type WebhookPatch = z.output<typeof webhookPatch>;

/**
 * The settings that a patch changes. Headers do not go along to another origin: whoever may change the URL, but not read
 * the headers, would get them there.
 * @param now ISO 8601.
 */
export function changesOf(patch: WebhookPatch, before: WebhookEndpoint, now: string): Partial<WebhookEndpoint> {
  const { url, description, disabled, filter_types, rate_limit } = patch;
  return {
    ...(typeof url === "string" ? { url, ...(isSameOrigin(url, before.url) ? {} : { headers: null }) } : {}),
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(typeof disabled === "boolean" ? { disabled, disabled_reason: disabled ? "manual" : null } : {}),
    ...(filter_types === undefined ? {} : { filter_types: filter_types ?? [] }),
    ...(rate_limit === undefined ? {} : { rate_limit }),
    updated_at: now,
  };
}

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

/** Whether a patch is a reason to judge the endpoint anew: it goes elsewhere, or was disabled before. */
export function isFreshStart({ url, disabled }: WebhookPatch, before: WebhookEndpoint): boolean {
  return (typeof url === "string" && url !== before.url) || (disabled === false && before.disabled);
}

/** The secret before a rotation is valid for so long. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** An endpoint as answered; its secret and headers have routes of their own. */
export const wireWebhook = z
  .object({
    id: z.guid(),
    url: z.string(),
    description: z.string(),
    rate_limit: z.number().int().nullable(),
    disabled: z.boolean(),
    disabled_reason: disabledReason.nullable(),
    filter_types: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WebhookEndpoint" });

/** An endpoint in the form in which it is answered. */
export function toWireWebhook({ endpoint_id: id, ...endpoint }: WebhookEndpoint): z.output<typeof wireWebhook> {
  const { url, description, rate_limit, disabled, disabled_reason, filter_types, created_at, updated_at } = endpoint;
  return { id, url, description, rate_limit, disabled, disabled_reason, filter_types, created_at, updated_at };
}
