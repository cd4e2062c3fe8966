import { gzipSync } from "node:zlib";
import { conditionCheckItem, grants, putItem, putObject } from "../../contract/access.ts";
import { orderPlacements, orders, orderWork, outbox, users } from "../../contract/resources.ts";
import type { OrderTask, OrderTaskDraft } from "../../domain/lab-work/order-task.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderPlacement } from "../../domain/orders/placement/order-placement.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { orderEvents } from "../../events/constructors/order-events.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { UserNotFound, ValidationFailed } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { OrderTaskStore } from "../../store/lab-work/order-tasks.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";

/** Dependencies of a new order. */
export type PlanNewOrderDependencies = Dependencies<"users" | "orders" | "outbox" | "orderPlacements">;

/** Grants of {@link planNewOrder}. */
export const planNewOrderAccess = [
  conditionCheckItem(users),
  putItem(orders),
  putItem(outbox),
  putObject(orderPlacements),
] as const;

/** Grants of {@link planNewOrder} and {@link withSubmission}. */
export const submitNewOrderAccess = grants(
  conditionCheckItem(users),
  putItem(orders),
  putItem(orderWork),
  planNewOrderAccess,
);

/** A new order that is not yet written. */
export interface PlannedOrder {
  readonly order: Order;
  readonly items: readonly WriteItem[];
  readonly tasks: readonly OrderTask[];
  /** Maps a failed condition of these items to its error; undefined if no item explains it. */
  readonly toConflictError: (failed: ConditionFailed) => Error | undefined;
}

/** Creates a task for an order. @param due_at ISO 8601. */
export const planOrderTask = (
  { team_id, id }: Pick<Order, "team_id" | "id">,
  work: OrderTaskDraft,
  due_at: string,
): OrderTask => ({
  ...{ team_id, order_id: id, work_id: ports().ids.uuid(), due_at },
  work,
});

/** When to submit an order: now, or at the start of its activation date (UTC). Instants are ISO 8601. */
export const submissionTime = ({ activate_by }: Pick<Order, "activate_by">, now: string): string =>
  activate_by !== null && activate_by > now.slice(0, 10) ? `${activate_by}T00:00:00.000Z` : now;

/** Plans the writes of a new order. Stores its placement at once: nothing reads a placement without its order. */
export async function planNewOrder(
  { scope, team, user }: { scope: TeamScope; team: Team; user: UserRecord },
  { order, placement }: { order: Order; placement: OrderPlacement },
  deps: PlanNewOrderDependencies,
): Promise<PlannedOrder> {
  const placement_key = await storePlacement(deps.orderPlacements, order, placement);
  const sample = order.sample_id;
  const events = orderEvents(undefined, order, orderEventOptions(team, user));
  const items = [
    deps.users.requireActiveItem(scope, order.user_id),
    ...(sample === null ? [] : [deps.orders.assignSampleItem(scope, sample, order.id)]),
    ...deps.orders.createItems(scope, { order, revision: 1, placement_key, requisition: null }),
    ...events.map((event) => deps.outbox.appendItem(event, isoNow())),
  ];
  const refusalOf = ({ items: failed }: ConditionFailed) => {
    if (failed.has(0)) return new UserNotFound();
    return sample !== null && failed.has(1) ? duplicateSampleError() : undefined;
  };
  return { order, items, tasks: [], toConflictError: refusalOf };
}

/** Adds the task that submits a new order to its laboratory, now or at its activation date. */
export function withSubmission(scope: TeamScope, planned: PlannedOrder, orderWork: OrderTaskStore): PlannedOrder {
  const { order } = planned;
  const work = planOrderTask(order, { kind: "submit" }, submissionTime(order, order.created_at));
  return { ...planned, items: [...planned.items, orderWork.putItem(scope, work)], tasks: [work] };
}

/** The error for a sample id that belongs to another order. */
const duplicateSampleError = () => ValidationFailed.at(["body", "sample_id"], "Another order has this sample");

/** Options of the events of an order. */
export const orderEventOptions = (team: Team, user: UserRecord) => ({
  user,
  sendsPartialResults: team.settings.partial_webhooks_enabled,
});

/** Stores the placement of an order, the data for its laboratory. @returns the object key, below the user's prefix. */
export async function storePlacement(bucket: Bucket, order: Order, placement: OrderPlacement): Promise<string> {
  const key = `${order.team_id}/${order.user_id}/${ports().ids.uuid()}`;
  await bucket.put(key, gzipSync(JSON.stringify(placement)));
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
    throw (error instanceof ConditionFailed && planned.toConflictError(error)) || error;
  }
}
