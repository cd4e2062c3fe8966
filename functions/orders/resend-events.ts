import { batchGetItem, getItem, putItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, outbox, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { isProblemList } from "../../lib/domain/lab-tests/select-markers.ts";
import { parseResendRequest, resendDraft, resentOrders } from "../../lib/domain/orders/resend-events.ts";
import { repeatedOrderEvent } from "../../lib/events/constructors/order-events.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { toValidationFailed } from "../../lib/services/lab-tests/lab-catalogue.ts";

/**
 * Sends another event for each order with its current state. The request lists orders or gives the period of their last
 * change.
 */
export const contract = endpoint({
  operationId: "resendEvents",
  method: "POST",
  path: "/v3/order/resend_events",
  tag: "orders",
  summary: "Resend the events of orders",
  auth: "team",
  params: noFields,
  query: noFields,
  body: resendDraft,
  response: resentOrders,
  access: [queryItems(orders, "team_orders"), batchGetItem(orders), getItem(users), putItem(outbox)],
});

export const handler = implement(contract, async ({ scope, body }, { orders, users, outbox }) => {
  const selection = parseResendRequest(body, isoNow());
  if (isProblemList(selection)) throw toValidationFailed(selection);
  const listed = "ids" in selection ? selection.ids : (await orders.list(scope, {})).flatMap(selection.idWithin);
  const resendId = ports().ids.uuid();
  const resentIds: string[] = [];
  for (const order of await orders.getMany(scope, [...new Set(listed)])) {
    const user = await users.get(scope, order.user_id);
    if (!user) continue;
    await outbox.append(repeatedOrderEvent(order, user, resendId), isoNow());
    resentIds.push(order.id);
  }
  return { order_ids: resentIds };
});
