import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { webhookEndpoints } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { wireWebhook } from "../../lib/events/webhooks/webhook-endpoint.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { showWebhooks, showWebhooksAccess } from "../../lib/services/webhooks/require-webhook.ts";

export const contract = endpoint({
  operationId: "listPortalWebhooks",
  method: "GET",
  path: "/v2/portal/webhook",
  tag: "portal",
  summary: "List webhook endpoints in the portal",
  description: [
    "Returns all webhook endpoints of the team to the webhook portal, without their signing secrets.",
    "The portal calls it with the secret of its link; your own code uses the management API.",
  ],
  auth: "portal",
  params: noFields,
  query: noFields,
  response: z.object({ data: z.array(wireWebhook) }).meta({ id: "PortalWebhooks" }),
  access: [queryItems(webhookEndpoints), ...showWebhooksAccess],
});

export const handler = implement(contract, async ({ scope }, { webhookEndpoints, ...deps }) => ({
  data: await showWebhooks(await webhookEndpoints.list(scope), deps),
}));
