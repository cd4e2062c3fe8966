import * as z from "zod";

/** A team's webhook endpoint as stored; the secret is an envelope, bound to team and endpoint. */
export const webhookEndpoint = z.object({
  endpoint_id: z.string(),
  team_id: z.string(),
  url: z.string(),
  description: z.string(),
  /** Event types that the endpoint wants; empty for all. */
  filter_types: z.array(z.string()),
  disabled: z.boolean(),
  sealed_secret: z.string(),
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

/** What a team says of an endpoint when it creates one. */
export const webhookDraft = z.object({
  url: z.url().max(2_000),
  description: z.string().max(1_000).default(""),
  disabled: z.boolean().default(false),
  filter_types: z.array(z.string().max(200)).max(200).default([]),
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
