import { batchGetItem, getItem, putItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, outbox, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { isProblemList } from "../../lib/domain/lab-tests/select-markers.ts";
import { parseResendRequest, resendDraft, resentOrders } from "../../lib/domain/orders/resend-events.ts";
import { isPublished, repeatedOrderEvent } from "../../lib/events/constructors/order-events.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { toValidationFailed } from "../../lib/services/lab-tests/lab-catalogue.ts";

export const contract = endpoint({
  operationId: "resendEvents",
  method: "POST",
  path: "/v3/order/resend_events",
  tag: "orders",
  summary: "Resend the events of orders",
  description: [
    "Sends another event for each selected order, with its current state only, and lists the orders in the response.",
    "Call it when your receiver missed events; a webhook endpoint can also recover or replay its deliveries.",
    "The event is `labtest.order.created` for an order in its first status, and `labtest.order.updated` otherwise.",
    "Select either up to 500 `order_ids`, or the orders whose last change lies between `start_at` and `end_at`.",
    "The period has at most 60 days. Unknown orders and orders of deleted users are skipped.",
    "Orders with partial results are skipped too, unless the team enabled `partial_webhooks_enabled`.",
    "Each call sends new events: use `last_event.id` to recognise a state that you know.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: resendDraft,
  response: resentOrders,
  access: [queryItems(orders, "team_orders"), batchGetItem(orders), getItem(users), putItem(outbox)],
});

export const handler = implement(contract, async ({ scope, team, body }, { orders, users, outbox }) => {
  const selection = parseResendRequest(body, isoNow());
  if (isProblemList(selection)) throw toValidationFailed(selection);
  const listed = "ids" in selection ? selection.ids : (await orders.list(scope, {})).flatMap(selection.idWithin);
  const sendsPartialResults = team.settings.partial_webhooks_enabled;
  const resendId = ports().ids.uuid();
  const resentIds: string[] = [];
  for (const order of await orders.getMany(scope, [...new Set(listed)])) {
    const user = await users.get(scope, order.user_id);
    if (!user || !isPublished(order, { sendsPartialResults })) continue;
    await outbox.append(repeatedOrderEvent(order, user, resendId), isoNow());
    resentIds.push(order.id);
  }
  return { order_ids: resentIds };
});
