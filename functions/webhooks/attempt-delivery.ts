import { get, open, put, send, update } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import {
  deliveries,
  outbox,
  webhookAttempts,
  webhookEndpoints,
  webhookSecretsKey,
} from "../../lib/contract/resources.ts";
import { deliveryReference } from "../../lib/events/delivery.ts";
import { secretContext } from "../../lib/events/webhook-endpoint.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { carryOn } from "../../lib/runtime/failed-attempt.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { postWebhook } from "../../lib/runtime/webhook-post.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Makes one attempt at a delivery that is due. A message says only that one may be due; the claim decides. */
export const contract = consumer({
  operationId: "attemptDelivery",
  tag: "webhooks",
  summary: "Attempt the delivery of an event to an endpoint",
  trigger: { kind: "queue", queue: webhookAttempts, batchSize: 10 },
  message: deliveryReference,
  access: [
    update(deliveries),
    get(webhookEndpoints),
    get(outbox),
    put(outbox),
    open(webhookSecretsKey),
    send(webhookAttempts),
  ],
});

export const handler = consume(contract, async ({ message, log }, uses) => {
  const claimed = await uses.deliveries.claim(message, ports().clock.now());
  if (!claimed) return;
  const endpoint = await uses.webhookEndpoints.get(TeamScope.grant(claimed.team_id), claimed.endpoint_id);
  const body = await uses.outbox.body(claimed.event);
  if (!endpoint || endpoint.disabled || body === undefined) {
    await uses.deliveries.end(claimed, "cancelled", claimed.attempts);
    return;
  }
  const secret = await uses.secrets.open(endpoint.sealed_secret, secretContext(endpoint));
  const at = isoNow();
  const { status, durationMs } = await postWebhook({
    url: endpoint.url,
    id: claimed.event_id,
    body,
    secrets: [secret],
  });
  const attempts = [...claimed.attempts, { at, status, duration_ms: durationMs }];
  log.info("webhook attempted", { event_id: claimed.event_id, endpoint_id: claimed.endpoint_id, status });
  if (status >= 200 && status < 300) await uses.deliveries.end(claimed, "delivered", attempts);
  else await carryOn(claimed, attempts, body, uses);
});
