import { gunzipSync, gzipSync } from "node:zlib";
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

/** What is written with a new order. */
export interface NewOrderUses {
  readonly users: UserStore;
  readonly orders: OrderStore;
  readonly outbox: OutboxStore;
  readonly orderPlacements: Bucket;
}

/** A new order that is still to be written. */
export interface PlannedOrder {
  readonly order: Order;
  readonly items: readonly WriteItem[];
  readonly work: readonly OrderWork[];
  /** The error that the failure of one of these items means; undefined where it can not be. */
  readonly refusalOf: (failed: ConditionFailed) => Error | undefined;
}

/** Work on an order that is due at an instant, ISO 8601. */
export const planWork = (
  { team_id, id }: Pick<Order, "team_id" | "id">,
  work: OrderWorkDraft,
  due_at: string,
): OrderWork => ({
  ...{ team_id, order_id: id, work_id: ports().ids.uuid(), due_at },
  work,
});

/** When an order is to be dispatched: at once, or as the day begins (UTC) that it waits for. @param now ISO 8601. */
export const submissionAt = ({ activate_by }: Pick<Order, "activate_by">, now: string): string =>
  activate_by !== null && activate_by > now.slice(0, 10) ? `${activate_by}T00:00:00.000Z` : now;

/** The writes of a new order; its placement is kept at once, since nothing reads it before an order names it. */
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

/** A new order with its submission to a laboratory, at once or when it is to be dispatched. */
export function withSubmission(scope: TeamScope, planned: PlannedOrder, orderWork: OrderWorkStore): PlannedOrder {
  const { order } = planned;
  const work = planWork(order, { kind: "submit" }, submissionAt(order, order.created_at));
  return { ...planned, items: [...planned.items, orderWork.putItem(scope, work)], work: [work] };
}

/** The refusal of the number of a sample that another order has. */
export const sampleTaken = () => ValidationFailed.at(["body", "sample_id"], "Another order has this sample");

/** How the events of an order are told to its team. */
export const tellingOf = (team: Team, user: UserRecord) => ({
  user,
  tellsPartialResults: team.settings.partial_webhooks_enabled,
});

/** Keeps what laboratories are told with an order, with the user's own. @returns where it lies. */
export async function keepPlacement(bucket: Bucket, order: Order, placement: OrderPlacement): Promise<string> {
  const key = `${order.team_id}/${order.user_id}/${ports().ids.uuid()}`;
  await bucket.keep(key, gzipSync(JSON.stringify(placement)));
  return key;
}

/** What laboratories are told with an order. @param key where it lies. */
export async function readPlacement(bucket: Pick<Bucket, "load">, key: string): Promise<OrderPlacement> {
  return JSON.parse(gunzipSync(await bucket.load(key)).toString("utf8"));
}

/** Writes a new order. @throws the error that a failed condition means. */
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
