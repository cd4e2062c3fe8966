import * as z from "zod";
import { isSubscribable } from "../catalogue/catalogue.ts";
import { webhookFormat } from "./cloud-event.ts";
import type { EndpointHealth } from "./endpoint-health.ts";

/** Reason for a disabled endpoint: its team disabled it, it answered 410, or it failed for days. */
const disabledReason = z.enum(["manual", "gone", "failing"]);
export type DisabledReason = z.output<typeof disabledReason>;

/** A stored webhook endpoint. Its secret and headers are envelopes, bound to team and endpoint. */
export const webhookEndpoint = z.object({
  endpoint_id: z.string(),
  team_id: z.string(),
  url: z.string(),
  description: z.string(),
  /** Subscribed event types; empty for all. */
  filter_types: z.array(z.string()),
  disabled: z.boolean(),
  disabled_reason: disabledReason.nullable().default(null),
  sealed_secret: z.string(),
  /** The previous secret. Until it expires, messages are also signed with it. */
  previous_secret: z.object({ sealed_secret: z.string(), expires_at: z.string() }).nullable().default(null),
  /** Custom headers of the team: encrypted JSON. */
  headers: z.string().nullable().default(null),
  /** Maximum attempts per second; null for no limit. */
  rate_limit: z.number().int().positive().nullable().default(null),
  /** Absent in endpoints of versions before. */
  format: webhookFormat.default("json"),
  created_at: z.string(),
  updated_at: z.string(),
});
export type WebhookEndpoint = z.output<typeof webhookEndpoint>;

/** Whether the endpoint is enabled and subscribed to this type. */
export function isSubscribed(endpoint: WebhookEndpoint, eventType: string): boolean {
  if (endpoint.disabled) return false;
  return endpoint.filter_types.length === 0 || endpoint.filter_types.includes(eventType);
}

/** Returns the encryption context of an endpoint's signing secret. */
export function secretContext(endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">) {
  return { purpose: "webhook-secret", team_id: endpoint.team_id, record: endpoint.endpoint_id, field: "secret" };
}

/** Returns the encryption context of an endpoint's headers. */
export function headersContext(endpoint: Pick<WebhookEndpoint, "team_id" | "endpoint_id">) {
  return { ...secretContext(endpoint), purpose: "webhook-headers", field: "headers" };
}

/** An event type filter. An unknown type is rejected, because it would never match. */
const filterType = z
  .string()
  .max(200)
  .refine(isSubscribable, "must be an event type")
  .describe("A type of the webhooks in this document, or raw.<provider>.<kind>");

const SECRET_PATTERN = /^whsec_[A-Za-z0-9+/]{32,86}={0,2}$/;
const secretFormat = "must be whsec_ and 24 to 64 bytes in base64";

/** Whether a text is the base64 of 24 to 64 bytes in its one form, which all libraries decode to the same key. */
function isSecretKey(text: string): boolean {
  const key = Buffer.from(text, "base64");
  return key.length >= 24 && key.length <= 64 && key.toString("base64") === text;
}

/** A signing secret that the team chooses. */
export const webhookSecret = z
  .string()
  .regex(SECRET_PATTERN, secretFormat)
  .refine((secret) => isSecretKey(secret.slice("whsec_".length)), secretFormat);

const url = z.url().max(2_000);
const description = z.string().max(1_000);
/** Limit that lets all endpoints of a team fit in one list response. */
const MAX_FILTER_CHARACTERS = 40_000;
const filterTypes = z
  .array(filterType)
  .max(500)
  .refine(
    (types) => types.join().length <= MAX_FILTER_CHARACTERS,
    `must have at most ${MAX_FILTER_CHARACTERS} characters in total`,
  );
const rateLimit = z.int().min(1).max(10_000).describe("Maximum attempts per second; null for no limit");

/** Request body to create an endpoint. */
export const webhookDraft = z.object({
  url,
  description: description.default(""),
  disabled: z.boolean().default(false),
  filter_types: filterTypes.nullish(),
  rate_limit: rateLimit.nullish(),
  secret: webhookSecret.nullish(),
  format: webhookFormat.default("json"),
});

/** Request body to update an endpoint: null clears an optional field and leaves a required one unchanged. */
export const webhookPatch = z.object({
  url: url.nullish(),
  description: description.nullish(),
  disabled: z.boolean().nullish(),
  filter_types: filterTypes.nullish(),
  rate_limit: rateLimit.nullish(),
  format: webhookFormat.nullish(),
});
type WebhookPatch = z.output<typeof webhookPatch>;

/**
 * Returns the settings that a patch changes. A change of the origin deletes the headers: a caller who may change the
 * URL, but not read the headers, could otherwise receive them.
 * @param now ISO 8601.
 */
export function toEndpointChanges(patch: WebhookPatch, before: WebhookEndpoint, now: string): Partial<WebhookEndpoint> {
  const { url, description, disabled, filter_types, rate_limit, format } = patch;
  return {
    ...(typeof url === "string" ? { url, ...(isSameOrigin(url, before.url) ? {} : { headers: null }) } : {}),
    ...(description === undefined ? {} : { description: description ?? "" }),
    ...(typeof disabled === "boolean" ? { disabled, disabled_reason: disabled ? "manual" : null } : {}),
    ...(filter_types === undefined ? {} : { filter_types: filter_types ?? [] }),
    ...(rate_limit === undefined ? {} : { rate_limit }),
    ...(format ? { format } : {}),
    updated_at: now,
  };
}

const isSameOrigin = (one: string, other: string) => new URL(one).origin === new URL(other).origin;

/** Whether a patch resets the health of the endpoint: it changes the URL or enables the endpoint. */
export function shouldResetHealth({ url, disabled }: WebhookPatch, before: WebhookEndpoint): boolean {
  return (typeof url === "string" && url !== before.url) || (disabled === false && before.disabled);
}

/** Validity of the previous secret after a rotation. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60 * 1000;

/** An endpoint as returned. Its secret and headers have their own routes. */
export const wireWebhook = z
  .object({
    id: z.guid(),
    url: z.string(),
    description: z.string(),
    rate_limit: z.number().int().nullable(),
    disabled: z.boolean(),
    disabled_reason: disabledReason.nullable(),
    suspended_since: z
      .string()
      .nullable()
      .describe("Since when the endpoint is suspended after an outage; null while it is not"),
    filter_types: z.array(z.string()),
    format: webhookFormat,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WebhookEndpoint" });

/** Returns the response for an endpoint. @param health undefined for a new one. */
export function toWireWebhook(
  { endpoint_id: id, ...endpoint }: WebhookEndpoint,
  health: Pick<EndpointHealth, "parked_at"> | undefined,
): z.output<typeof wireWebhook> {
  const { url, description, rate_limit, disabled, disabled_reason, filter_types, format } = endpoint;
  const { created_at, updated_at } = endpoint;
  const suspended_since = health?.parked_at ?? null;
  const state = { disabled, disabled_reason, suspended_since };
  return { id, url, description, rate_limit, ...state, filter_types, format, created_at, updated_at };
}
