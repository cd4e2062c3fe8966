import type { OutgoingWebhook } from "../../../lib/services/webhooks/post-webhook.ts";

/** A webhook without an address, as an endpoint without settings of its own receives it. */
export const outgoingWebhook: Omit<OutgoingWebhook, "url"> = {
  id: "evt_1",
  body: "{}",
  secrets: [`whsec_${Buffer.alloc(32, 7).toString("base64")}`],
  version: 1,
  headers: {},
  contentType: "application/json",
  attributes: {},
};
