import { type FindPartner, type PartnerOrder, requisitionNumber } from "../domain/orders/lab-partner.ts";
import { OrderMoveRefused } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { OrderWork, OrderWorkMessage } from "../domain/orders/order-work.ts";
import type { TeamStore } from "../store/identity.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { ResultStore } from "../store/results/results.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { Bucket } from "./bucket.ts";
import { changeOrder, type OrderChange, type OrderUses } from "./changing-orders.ts";
import { NotFound } from "./errors.ts";
import { afterStep, afterSubmission } from "./lab-steps.ts";
import { readPlacement } from "./new-order-items.ts";
import { ports } from "./ports.ts";

/** What doing work on orders takes. */
export interface WorkUses extends OrderUses {
  readonly teams: TeamStore;
  readonly orders: OrderStore;
  readonly orderWork: OrderWorkStore;
  readonly orderPlacements: Bucket;
  readonly results: ResultStore;
  readonly findPartner: FindPartner;
}

/** How long work on the order of a user who is deleted, but may come back, waits before it is looked at again. */
const PUT_OFF_MS = 3_600_000;

/**
 * Does work that is due, and what follows at once. What it does and that it is done is written in one transaction, so
 * doing it again changes nothing; a laboratory may be told twice, and knows by the requisition that it was.
 * @returns the work that follows later, if any.
 */
export async function doWork(
  scope: TeamScope,
  message: OrderWorkMessage,
  uses: WorkUses,
): Promise<OrderWork | undefined> {
  const team = await uses.teams.get(message.team_id);
  for (;;) {
    const work = await uses.orderWork.get(scope, message.order_id, message.kind);
    if (!team || !work) return undefined;
    if (Date.parse(work.due_at) > ports().clock.now()) return work;
    try {
      await changeOrder({ scope, team }, work.order_id, uses, (record, at) => doOnce(scope, work, record, at, uses));
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return putOff(scope, work, uses);
    }
  }
}

/** The order is gone, or its user is deleted and may come back. */
async function putOff(scope: TeamScope, work: OrderWork, uses: WorkUses): Promise<undefined> {
  const isThere = (await uses.orders.get(scope, work.order_id)) !== undefined;
  const due_at = new Date(ports().clock.now() + PUT_OFF_MS).toISOString();
  const put = uses.orderWork.replaceItem(scope, work, { ...work, due_at });
  await uses.commit([isThere ? put : uses.orderWork.doneItem(scope, work)]);
}

/** What becomes of the order by the work; nothing where somebody else has done it meanwhile. */
async function doOnce(
  scope: TeamScope,
  work: OrderWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange | undefined> {
  const present = await uses.orderWork.get(scope, work.order_id, work.work.kind);
  if (present?.work_id !== work.work_id || present.due_at !== work.due_at) return undefined;
  const done = uses.orderWork.doneItem(scope, work);
  const change = await effectOf(scope, work, record, at, uses);
  const { order } = { ...record, ...change };
  const sample = order.sample_id;
  const isNewSample = sample !== null && record.order.sample_id === null;
  const items = [
    ...(change.items ?? [done]),
    ...(isNewSample ? [uses.orders.takeSampleItem(scope, sample, order.id)] : []),
  ];
  return { ...change, items };
}

/** @returns the change; where it has writes, the end of the work, or what follows in its place, is among them. */
async function effectOf(
  scope: TeamScope,
  work: OrderWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange> {
  const { order } = record;
  if (work.work.kind === "walk") return walkOn(scope, { ...work, work: work.work }, record, at, uses);
  const partner = uses.findPartner(order.lab_test.lab?.slug ?? "");
  if (!partner) throw new Error("there is no connection to the laboratory of an order that it was to be told of");
  const told = await partnerOrder(record, uses.orderPlacements);
  if (work.work.kind === "cancel") {
    await partner.cancel(told);
    return {};
  }
  if (record.requisition !== null) return {};
  return afterSubmission(record, told.requisition, await partner.submit(told), at);
}

type WalkWork = OrderWork & { readonly work: Extract<OrderWork["work"], { kind: "walk" }> };

async function walkOn(
  scope: TeamScope,
  work: WalkWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange> {
  const [step, ...rest] = work.work.steps;
  if (!step) return {};
  try {
    const { order, items } = await afterStep(scope, record, step, work.work.flags, at, uses);
    const [next] = rest;
    if (!next) return { order, items: [...items, uses.orderWork.doneItem(scope, work)] };
    const following = { ...work, work: { ...work.work, steps: rest }, work_id: ports().ids.uuid(), due_at: next.at };
    return { order, items: [...items, uses.orderWork.replaceItem(scope, work, following)] };
  } catch (error) {
    // The order went another way meanwhile, which ends the walk.
    if (error instanceof OrderMoveRefused) return {};
    throw error;
  }
}

async function partnerOrder({ order, placement_key }: OrderRecord, placements: Bucket): Promise<PartnerOrder> {
  if (placement_key === null) throw new Error("an order without a placement is submitted to nobody");
  const placement = await readPlacement(placements, placement_key);
  return { order, placement, requisition: requisitionNumber(order.id) };
}
