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

/** What a team says of an endpoint when it creates one. */
export const webhookDraft = z.object({
  url: z.url().max(2_000),
  description: z.string().max(1_000).default(""),
  disabled: z.boolean().default(false),
  filter_types: z.array(filterType).max(500).default([]),
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/, "whsec_ and 24 to 64 bytes in base64")
    .nullish(),
});

/** An endpoint as answered; its secret has a route of its own. */
export const wireWebhook = z
  .object({
    id: z.guid(),
    url: z.string(),
    description: z.string(),
    rate_limit: z.number().int().nullable(),
    disabled: z.boolean(),
    filter_types: z.array(z.string()),
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: "WebhookEndpoint" });
