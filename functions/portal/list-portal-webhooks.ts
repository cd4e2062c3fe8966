import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { toWireWebhook, wireWebhook } from "../../lib/events/webhook-endpoint.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Lists the webhook endpoints of the team in the portal. */
export const contract = endpoint({
  operationId: "listPortalWebhooks",
  method: "GET",
  path: "/v2/portal/webhook",
  tag: "portal",
  summary: "List webhook endpoints in the portal",
  auth: "portal",
  params: nothing,
  query: nothing,
  response: z.object({ data: z.array(wireWebhook) }).meta({ id: "PortalWebhooks" }),
  access: [query(webhookEndpoints)],
});

export const handler = implement(contract, async ({ scope }, { webhookEndpoints }) => ({
  data: (await webhookEndpoints.list(scope)).map(toWireWebhook),
}));
