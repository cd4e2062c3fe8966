import type { FindVisitPartner } from "../domain/appointments/visit-partner.ts";
import type { Team } from "../domain/identity.ts";
import { type FindPartner, type PartnerOrder, requisitionNumber } from "../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../domain/orders/order-commands.ts";
import { currentLevel, OrderMoveRefused } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import type { OrderWork, OrderWorkMessage, Walk } from "../domain/orders/order-work.ts";
import { REDRAW } from "../domain/orders/succession.ts";
import type { TeamStore } from "../store/identity.ts";
import type { OrderWorkStore } from "../store/order-work.ts";
import type { OrderStore } from "../store/orders.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { ResultStore } from "../store/results/results.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { type ArrangingUses, arrangeStep } from "./appointments/arranging.ts";
import { type AgreedChange, type ChangingOrder, withAppointment } from "./appointments/following-orders.ts";
import { tellPartners } from "./appointments/telling-partners.ts";
import type { Bucket } from "./bucket.ts";
import { changeOrder, type OrderUses } from "./changing-orders.ts";
import { NotFound } from "./errors.ts";
import { afterStep, afterSubmission } from "./lab-steps.ts";
import { loadPlacement } from "./orders/loading-placement.ts";
import { planRedraw } from "./orders/redrawing.ts";
import { ports } from "./ports.ts";

/** Dependencies of order tasks. */
export interface WorkUses extends OrderUses, ArrangingUses {
  readonly teams: TeamStore;
  readonly orders: OrderStore;
  readonly orderWork: OrderWorkStore;
  readonly outbox: Pick<OutboxStore, "addItem">;
  readonly orderPlacements: Bucket;
  readonly results: ResultStore;
  readonly findPartner: FindPartner;
  readonly findVisitPartner: FindVisitPartner;
}

/** The order of a task, with its team. */
type WorkedOrder = ChangingOrder & { readonly team: Team };

/** Delay of a task whose user is deleted but may be restored. */
const PUT_OFF_MS = 3_600_000;

/**
 * Processes the due task of a message, and each due task of the same kind that follows.
 * One transaction writes the effect of a task and its completion, so a repeated run changes nothing.
 * Laboratories and appointment partners may receive a call twice; they recognise the number in it.
 * @returns the tasks to schedule next.
 */
export async function doWork(scope: TeamScope, message: OrderWorkMessage, uses: WorkUses): Promise<OrderWork[]> {
  const team = await uses.teams.get(message.team_id);
  const left = new Map<string, OrderWork>();
  for (;;) {
    const work = await uses.orderWork.get(scope, message.order_id, message.kind);
    if (!team || !work) return [...left.values()];
    if (Date.parse(work.due_at) > ports().clock.now()) return [...left.values(), work];
    let agreed: AgreedChange | undefined;
    try {
      await changeOrder({ scope, team }, work.order_id, uses, async (record, at, user) => {
        agreed = await doOnce(work, { scope, team, record, at, user }, uses);
        return agreed?.change;
      });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await putOff(scope, work, uses);
      return [...left.values()];
    }
    for (const one of agreed?.work ?? []) left.set(one.work.kind, one);
  }
}

/** Postpones the task of a deleted user, who may be restored. Completes the task if the order no longer exists. */
async function putOff(scope: TeamScope, work: OrderWork, uses: WorkUses): Promise<void> {
  const isThere = (await uses.orders.get(scope, work.order_id)) !== undefined;
  const due_at = new Date(ports().clock.now() + PUT_OFF_MS).toISOString();
  const put = uses.orderWork.replaceItem(scope, work, { ...work, due_at });
  await uses.commit([isThere ? put : uses.orderWork.doneItem(scope, work)]);
}

/** Performs a task and completes it. Undefined if another run completed the task meanwhile. */
async function doOnce(work: OrderWork, changing: WorkedOrder, uses: WorkUses): Promise<AgreedChange | undefined> {
  const { scope, record } = changing;
  const present = await uses.orderWork.get(scope, work.order_id, work.work.kind);
  if (present?.work_id !== work.work_id || present.due_at !== work.due_at) return undefined;
  const { change, next, ...rest } = await effectOf(work, changing, uses);
  const { order } = { ...record, ...change };
  const sample = order.sample_id;
  const isNewSample = sample !== null && record.order.sample_id === null;
  const items = [
    next ? uses.orderWork.replaceItem(scope, work, next) : uses.orderWork.doneItem(scope, work),
    ...(change.items ?? []),
    ...(isNewSample ? [uses.orders.takeSampleItem(scope, sample, order.id)] : []),
  ];
  return { ...rest, change: { ...change, items } };
}

/** The effect of a task; `next` replaces the task itself. */
interface Effect extends AgreedChange {
  readonly next?: OrderWork;
}

async function effectOf(work: OrderWork, changing: WorkedOrder, uses: WorkUses): Promise<Effect> {
  const { record, at } = changing;
  const { order } = record;
  const draft = work.work;
  if (draft.kind === "walk") return walkOn(work, draft, changing, uses);
  if (draft.kind === "visit") return { change: await tellPartners(changing, draft, uses), work: [] };
  const partner = uses.findPartner(order.lab_test.lab?.slug ?? "");
  if (!partner) throw new Error("no partner is configured for the laboratory of a submitted order");
  const told = await partnerOrder(record, uses.orderPlacements);
  if (draft.kind === "cancel") {
    await partner.cancel(told);
    return { change: {}, work: [] };
  }
  if (record.requisition !== null) return { change: {}, work: [] };
  const change = afterSubmission(record, told.requisition, await partner.submit(told), at);
  return withAppointment(changing, change, uses);
}

async function walkOn(work: OrderWork, walk: Walk, changing: WorkedOrder, uses: WorkUses): Promise<Effect> {
  const [step, ...rest] = walk.steps;
  if (!step) return { change: {}, work: [] };
  try {
    const agreed = await walkStep(step, walk, changing, uses);
    const { order } = { ...changing.record, ...agreed.change };
    // A waiting appointment can move the order several steps at once. Skip the steps that the order has already made.
    const done = rest.findIndex(({ level }) => level === currentLevel(order));
    const steps = rest.slice(done + 1);
    const [next] = steps;
    if (!next) return agreed;
    return { ...agreed, next: { ...work, work: { ...walk, steps }, work_id: ports().ids.uuid(), due_at: next.at } };
  } catch (error) {
    // The order took another path meanwhile, which ends the simulation.
    if (error instanceof OrderMoveRefused || error instanceof OrderCommandRefused) return { change: {}, work: [] };
    throw error;
  }
}

async function walkStep(
  step: Walk["steps"][number],
  { flags, meeting }: Walk,
  changing: WorkedOrder,
  uses: WorkUses,
): Promise<AgreedChange> {
  if (step.level === REDRAW) {
    const { former, work, items } = await planRedraw(changing, changing.record, uses, changing.at);
    return { change: { order: former, items }, work: [work] };
  }
  const led = await arrangeStep(changing, step.level, meeting, uses);
  if (led) return led;
  const { scope, record, at } = changing;
  const change = await afterStep(scope, record, step, flags, at, uses);
  return withAppointment(changing, change, uses);
}

async function partnerOrder({ order, placement_key }: OrderRecord, placements: Bucket): Promise<PartnerOrder> {
  if (placement_key === null) throw new Error("an order without a placement cannot be submitted");
  return { order, placement: await loadPlacement(placements, placement_key), requisition: requisitionNumber(order.id) };
}
