import { gzipSync } from "node:zlib";
import type { Team } from "../domain/identity.ts";
import type { Order } from "../domain/orders/order-move.ts";
import type { OrderPlacement } from "../domain/orders/order-placement.ts";
import type { OrderWork, OrderWorkDraft } from "../domain/orders/order-work.ts";
import type { UserRecord } from "../domain/user.ts";
import { orderEvents } from "../events/order-events.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import type { Bucket } from "./bucket.ts";
import { UserNotFound, ValidationFailed } from "./errors.ts";
import { isoNow, ports } from "./ports.ts";

/** Dependencies of a new order. */
export interface NewOrderUses {
  readonly users: UserStore;
  readonly orders: OrderStore;
  readonly outbox: OutboxStore;
  readonly orderPlacements: Bucket;
}

/** A new order that is not yet written. */
export interface PlannedOrder {
  readonly order: Order;
  readonly items: readonly WriteItem[];
  readonly work: readonly OrderWork[];
  /** Maps a failed condition of these items to its error; undefined if no item explains it. */
  readonly refusalOf: (failed: ConditionFailed) => Error | undefined;
}

/** Creates a task for an order. @param due_at ISO 8601. */
export const planWork = (
  { team_id, id }: Pick<Order, "team_id" | "id">,
  work: OrderWorkDraft,
  due_at: string,
): OrderWork => ({
  ...{ team_id, order_id: id, work_id: ports().ids.uuid(), due_at },
  work,
});

/** When to submit an order: now, or at the start of its activation date (UTC). Instants are ISO 8601. */
export const submissionAt = ({ activate_by }: Pick<Order, "activate_by">, now: string): string =>
  activate_by !== null && activate_by > now.slice(0, 10) ? `${activate_by}T00:00:00.000Z` : now;

/** Plans the writes of a new order. Stores its placement at once: nothing reads a placement without its order. */
export async function planNewOrder(
  { scope, team, user }: { scope: TeamScope; team: Team; user: UserRecord },
  { order, placement }: { order: Order; placement: OrderPlacement },
  uses: NewOrderUses,
): Promise<PlannedOrder> {
  const placement_key = await keepPlacement(uses.orderPlacements, order, placement);
  const sample = order.sample_id;
  const events = orderEvents(undefined, order, tellingOf(team, user));
  const items = [
    uses.users.requireActiveItem(scope, order.user_id),
    ...(sample === null ? [] : [uses.orders.takeSampleItem(scope, sample, order.id)]),
    ...uses.orders.createItems(scope, { order, revision: 1, placement_key, requisition: null }),
    ...events.map((event) => uses.outbox.addItem(event, isoNow())),
  ];
  const refusalOf = ({ items: failed }: ConditionFailed) => {
    if (failed.has(0)) return new UserNotFound();
    return sample !== null && failed.has(1) ? sampleTaken() : undefined;
  };
  return { order, items, work: [], refusalOf };
}

/** Adds the task that submits a new order to its laboratory, now or at its activation date. */
export function withSubmission(scope: TeamScope, planned: PlannedOrder, orderWork: OrderWorkStore): PlannedOrder {
  const { order } = planned;
  const work = planWork(order, { kind: "submit" }, submissionAt(order, order.created_at));
  return { ...planned, items: [...planned.items, orderWork.putItem(scope, work)], work: [work] };
}

/** The error for a sample id that belongs to another order. */
export const sampleTaken = () => ValidationFailed.at(["body", "sample_id"], "Another order has this sample");

/** Options of the events of an order. */
export const tellingOf = (team: Team, user: UserRecord) => ({
  user,
  tellsPartialResults: team.settings.partial_webhooks_enabled,
});

/** Stores the placement of an order, the data for its laboratory. @returns the object key, below the user's prefix. */
export async function keepPlacement(bucket: Bucket, order: Order, placement: OrderPlacement): Promise<string> {
  const key = `${order.team_id}/${order.user_id}/${ports().ids.uuid()}`;
  await bucket.keep(key, gzipSync(JSON.stringify(placement)));
  return key;
}

/** Writes a new order. @throws the error of a failed condition. */
export async function writeNewOrder(
  planned: PlannedOrder,
  commit: (items: readonly WriteItem[]) => Promise<void>,
  more: readonly WriteItem[] = [],
): Promise<void> {
  try {
    await commit([...planned.items, ...more]);
  } catch (error) {
    throw (error instanceof ConditionFailed && planned.refusalOf(error)) || error;
  }
}
