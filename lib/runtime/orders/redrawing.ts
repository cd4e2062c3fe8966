import type { Team } from "../../domain/identity.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { OrderWork } from "../../domain/orders/order-work.ts";
import { redraw } from "../../domain/orders/succession.ts";
import { orderEvents } from "../../events/order-events.ts";
import type { OrderWorkStore } from "../../store/order-work.ts";
import type { OrderStore } from "../../store/orders.ts";
import type { OutboxStore } from "../../store/outbox.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import type { Bucket } from "../bucket.ts";
import { requireOrder } from "../changing-orders.ts";
import { keepPlacement, planWork, tellingOf } from "../new-order-items.ts";
import { ports } from "../ports.ts";
import { loadPlacement } from "./loading-placement.ts";

/** Dependencies of a redraw. */
export interface RedrawUses {
  readonly orders: Pick<OrderStore, "get" | "createItems">;
  readonly users: Pick<UserStore, "get">;
  readonly orderWork: Pick<OrderWorkStore, "putItem">;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly orderPlacements: Bucket;
}

/** A redraw: the former order ends, and its successor collects a second sample. */
export interface PlannedRedraw {
  readonly former: Order;
  readonly successor: Order;
  /** The submission of the successor to the laboratory. */
  readonly work: OrderWork;
  /** The writes of the successor, for the transaction that changes the former. */
  readonly items: readonly WriteItem[];
}

/**
 * Plans a second sample for an order with partial results, at the same laboratory and lab account.
 * @throws OrderCommandRefused, OrderMoveRefused for an order that cannot have a redraw.
 */
export async function planRedraw(
  { scope, team }: { readonly scope: TeamScope; readonly team: Team },
  record: OrderRecord,
  uses: RedrawUses,
  at: string,
): Promise<PlannedRedraw> {
  const { user } = await requireOrder(scope, record.order.id, uses);
  const { former, successor } = redraw(record.order, groundLike(record.order), at);
  const placement_key = await copyPlacement(record, successor, uses.orderPlacements);
  const work = planWork(successor, { kind: "submit" }, at);
  const told = orderEvents(undefined, successor, tellingOf(team, user));
  const items = [
    ...uses.orders.createItems(scope, { order: successor, revision: 1, placement_key, requisition: null }),
    uses.orderWork.putItem(scope, work),
    ...told.map((event) => uses.outbox.addItem(event, at)),
  ];
  return { former, successor, work, items };
}

/** Context of the successor: new ids, and the other fields of the former order. */
function groundLike({ team_id, user_id, lab_test, health_insurance_id, order_transaction }: Order) {
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
  return keepPlacement(placements, successor, { ...placement, order_id: successor.id });
}
