import { getItem, getObject, grants, putItem, putObject } from "../../contract/access.ts";
import { orderPlacements, orders, orderWork, outbox, users } from "../../contract/resources.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import type { Team } from "../../domain/management/records.ts";
import { createRedraw } from "../../domain/orders/lifecycle/order-succession.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { orderEvents } from "../../events/constructors/order-events.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ports } from "../../runtime/ports.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { OrderTaskStore } from "../../store/lab-work/order-tasks.ts";
import type { OrderStore } from "../../store/orders/orders.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users/users.ts";
import { requireOrder } from "./change-order.ts";
import { loadPlacement } from "./load-placement.ts";
import { orderEventOptions, planOrderTask, storePlacement } from "./plan-new-order.ts";

/** Dependencies of a redraw. */
export type PlanRedrawDependencies = Dependencies<"orderPlacements"> & {
  readonly orders: Pick<OrderStore, "get" | "createItems">;
  readonly users: Pick<UserStore, "get">;
  readonly orderWork: Pick<OrderTaskStore, "putItem">;
  readonly outbox: Pick<OutboxStore, "appendItem">;
};

/** Grants of {@link planRedraw}. */
export const planRedrawAccess = grants(
  [getItem(orders), putItem(orders), getItem(users), putItem(orderWork), putItem(outbox)],
  [getObject(orderPlacements), putObject(orderPlacements)],
);

/** A redraw: the former order ends, and its successor collects a second sample. */
export interface PlannedRedraw {
  readonly former: Order;
  readonly successor: Order;
  /** The submission of the successor to the laboratory. */
  readonly task: OrderTask;
  /** The writes of the successor, for the transaction that changes the former. */
  readonly items: readonly WriteItem[];
}

/**
 * Plans a second sample for an order with partial results, at the same laboratory and lab account.
 * @throws OrderCommandRefused, OrderTransitionRefused for an order that cannot have a redraw.
 */
export async function planRedraw(
  { scope, team }: { readonly scope: TeamScope; readonly team: Team },
  record: OrderRecord,
  deps: PlanRedrawDependencies,
  at: string,
): Promise<PlannedRedraw> {
  const { user } = await requireOrder(scope, record.order.id, deps);
  const { former, successor } = createRedraw(record.order, successorContext(record.order), at);
  const placement_key = await copyPlacement(record, successor, deps.orderPlacements);
  const work = planOrderTask(successor, { kind: "submit" }, at);
  const events = orderEvents(undefined, successor, orderEventOptions(team, user));
  const items = [
    ...deps.orders.createItems(scope, { order: successor, revision: 1, placement_key, requisition: null }),
    deps.orderWork.putItem(scope, work),
    ...events.map((event) => deps.outbox.appendItem(event, at)),
  ];
  return { former, successor, task: work, items };
}

/** Context of the successor: new ids, and the other fields of the former order. */
function successorContext({ team_id, user_id, lab_test, health_insurance_id, order_transaction }: Order) {
  const uuid = () => ports().ids.uuid();
  return {
    ...{ orderId: uuid(), collectionId: uuid(), shipmentId: uuid(), transactionId: order_transaction?.id ?? uuid() },
    ...{ teamId: team_id, userId: user_id, labTest: lab_test, healthInsuranceId: health_insurance_id },
    // The notes of the former order already include the default notes of the account.
    defaultNotes: null,
  };
}

/** Copies the placement of the former order for its successor. */
async function copyPlacement({ placement_key }: OrderRecord, successor: Order, placements: Bucket): Promise<string> {
  if (placement_key === null) throw new Error("an order without a placement has no successor");
  const placement = await loadPlacement(placements, placement_key);
  return storePlacement(placements, successor, { ...placement, order_id: successor.id });
}
