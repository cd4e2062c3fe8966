import { get, getMany, put, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { orders, outbox, users } from "../../lib/contract/resources.ts";
import { isProblems } from "../../lib/domain/lab-tests/chosen-markers.ts";
import { askedAgain, resendDraft, resentOrders } from "../../lib/domain/orders/resend.ts";
import { orderToldAgain } from "../../lib/events/order-events.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { refuse } from "../../lib/runtime/lab-catalogue.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";

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
  params: nothing,
  query: nothing,
  body: resendDraft,
  response: resentOrders,
  access: [query(orders, "team_orders"), getMany(orders), get(users), put(outbox)],
});

export const handler = implement(contract, async ({ scope, body }, { orders, users, outbox }) => {
  const asked = askedAgain(body, isoNow());
  if (isProblems(asked)) throw refuse(asked);
  const listed = "ids" in asked ? asked.ids : (await orders.list(scope, {})).flatMap(asked.idWithin);
  const round = ports().ids.uuid();
  const told: string[] = [];
  for (const order of await orders.getMany(scope, [...new Set(listed)])) {
    const user = await users.get(scope, order.user_id);
    if (!user) continue;
    await outbox.add(orderToldAgain(order, user, round), isoNow());
    told.push(order.id);
  }
  return { order_ids: told };
});
