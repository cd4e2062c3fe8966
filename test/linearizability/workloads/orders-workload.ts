import * as cancelOrder from "../../../functions/orders/cancel-order.ts";
import * as createOrder from "../../../functions/orders/create-order.ts";
import * as doLabWork from "../../../functions/orders/do-lab-work.ts";
import * as getOrder from "../../../functions/orders/get-order.ts";
import { orderRequest } from "../../local/service/orders/order-helpers.ts";
import { firstUuid, type Performed, toResult, type WorkloadFactory } from "../workload.ts";
import { createUser } from "./create-user.ts";

const refusals = { conflict: () => ["conflict"], not_possible: () => ["refused"] };

/** Orders of one user under two idempotency keys, each with one of two bodies, their submission and their cancellation. */
export const createOrdersWorkload: WorkloadFactory = (service, random) => {
  let userId = "";
  const known: string[] = [];
  const done = (name: string, args: readonly string[], result: Performed["result"]): Performed[] => [
    { kind: "orders", object: "orders", name, args, result },
  ];
  const create = async () => {
    const key = random.pick(["x", "y"]);
    const passthrough = random.isWithinPercent(80) ? "first" : "second";
    const context = service.newCall();
    const parts = { body: orderRequest(userId, { passthrough }), headers: { "x-idempotency-key": key } };
    const answer = await service.call(createOrder, parts, context);
    const result = toResult(answer, ({ order }) => ["created", order.id], refusals);
    if (result?.[1] && !known.includes(result[1])) known.push(result[1]);
    return done("create", [key, passthrough, firstUuid(context)], result);
  };
  return {
    async prepare() {
      userId = await createUser(service);
    },
    async perform() {
      const kind = random.integerBelow(100);
      if (known.length === 0 || kind < 40) return create();
      const order_id = random.pick(known);
      if (kind < 55) {
        const answer = await service.call(cancelOrder, { path: { order_id } });
        return done(
          "cancel",
          [order_id],
          toResult(answer, () => ["cancelled"], refusals),
        );
      }
      if (kind < 75) {
        const message = { team_id: service.org.team_id, order_id, kind: "submit" };
        const consumed = await service.consume(doLabWork, [{ attributes: {}, body: JSON.stringify(message) }]);
        return done("submit", [order_id], consumed?.[0] ? ["done"] : null);
      }
      const answer = await service.call(getOrder, { path: { order_id } });
      const level = ({ last_event }: { last_event: { status: string } }) => last_event.status.split(".").at(-1) ?? "";
      const result = toResult(answer, (body) => ["found", level(body)], {});
      return done("get", [order_id], result);
    },
  };
};
