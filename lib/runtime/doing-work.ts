import type { Team } from "../domain/identity.ts";
import { type FindPartner, type PartnerOrder, requisitionNumber } from "../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../domain/orders/order-commands.ts";
import { currentLevel, type Order, OrderMoveRefused } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { OrderWork, OrderWorkMessage } from "../domain/orders/order-work.ts";
import { REDRAW } from "../domain/orders/succession.ts";
import type { TeamStore } from "../store/identity.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { Bucket } from "./bucket.ts";
import { changeOrder, type OrderChange, type OrderUses } from "./changing-orders.ts";
import { NotFound } from "./errors.ts";
import { afterStep, afterSubmission } from "./lab-steps.ts";
import { loadPlacement } from "./orders/loading-placement.ts";
import { planRedraw } from "./orders/redrawing.ts";
import { ports } from "./ports.ts";

/** What doing work on orders takes. */
export interface WorkUses extends OrderUses {
  readonly teams: TeamStore;
  readonly orders: OrderStore;
  readonly orderWork: OrderWorkStore;
  readonly orderPlacements: Bucket;
  readonly outbox: OutboxStore;
  readonly findPartner: FindPartner;
}

/** Whose order it is. */
type Owner = { readonly scope: TeamScope; readonly team: Team };

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
  let after: Order | undefined;
  for (;;) {
    const work = await uses.orderWork.get(scope, message.order_id, message.kind);
    if (!team || !work) return after && submissionOfRedraw(scope, after, uses);
    if (Date.parse(work.due_at) > ports().clock.now()) return work;
    try {
      after = await changeOrder({ scope, team }, work.order_id, uses, (record, at) =>
        doOnce({ scope, team }, work, record, at, uses),
      );
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      return putOff(scope, work, uses);
    }
  }
}

/** The submission of the order under which a second sample is taken, where this one ended so. */
async function submissionOfRedraw(scope: TeamScope, order: Order, uses: WorkUses): Promise<OrderWork | undefined> {
  if (currentLevel(order) !== REDRAW) return undefined;
  const successor = order.order_transaction?.orders.find(({ parent_id }) => parent_id === order.id);
  return successor && uses.orderWork.get(scope, successor.id, "submit");
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
  owner: Owner,
  work: OrderWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange | undefined> {
  const { scope } = owner;
  const present = await uses.orderWork.get(scope, work.order_id, work.work.kind);
  if (present?.work_id !== work.work_id || present.due_at !== work.due_at) return undefined;
  const done = uses.orderWork.doneItem(scope, work);
  const change = await effectOf(owner, work, record, at, uses);
  const { order } = { ...record, ...change };
  const sample = order.sample_id;
  const isNewSample = sample !== null && record.order.sample_id === null;
  const items = [
    change.items?.[0] ?? done,
    ...(change.items ?? []).slice(1),
    ...(isNewSample ? [uses.orders.takeSampleItem(scope, sample, order.id)] : []),
  ];
  return { ...change, items };
}

/** @returns the change; the first of its further writes stands in the place of the end of the work. */
async function effectOf(
  owner: Owner,
  work: OrderWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange> {
  const { order } = record;
  if (work.work.kind === "walk") return walkOn(owner, { ...work, work: work.work }, record, at, uses);
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
  owner: Owner,
  work: WalkWork,
  record: OrderRecord,
  at: string,
  uses: WorkUses,
): Promise<OrderChange> {
  const [step, ...rest] = work.work.steps;
  if (!step) return {};
  const { scope } = owner;
  try {
    if (step.level === REDRAW) {
      const { former, items } = await planRedraw(owner, record, uses, at);
      return { order: former, items: [uses.orderWork.doneItem(scope, work), ...items] };
    }
    const order = afterStep(record.order, step, work.work.flags, at);
    const [next] = rest;
    if (!next) return { order };
    const following = { ...work, work: { ...work.work, steps: rest }, work_id: ports().ids.uuid(), due_at: next.at };
    return { order, items: [uses.orderWork.replaceItem(scope, work, following)] };
  } catch (error) {
    // The order went another way meanwhile, which ends the walk.
    if (error instanceof OrderMoveRefused || error instanceof OrderCommandRefused) return {};
    throw error;
  }
}

async function partnerOrder({ order, placement_key }: OrderRecord, placements: Bucket): Promise<PartnerOrder> {
  if (placement_key === null) throw new Error("an order without a placement is submitted to nobody");
  return { order, placement: await loadPlacement(placements, placement_key), requisition: requisitionNumber(order.id) };
}
