import { deleteItem, getItem, grants } from "../../contract/access.ts";
import { orderWork, teams, users } from "../../contract/resources.ts";
import type { FindAppointmentPartner } from "../../domain/appointments/appointment-partner.ts";
import type { OrderTask, OrderTaskMessage, SimulationPlan } from "../../domain/lab-work/order-task.ts";
import type { Team } from "../../domain/management/records.ts";
import { type FindLabPartner, type PartnerOrder, requisitionNumber } from "../../domain/orders/lab-partner.ts";
import { OrderCommandRefused } from "../../domain/orders/lifecycle/order-commands.ts";
import { REDRAW_AVAILABLE } from "../../domain/orders/lifecycle/order-succession.ts";
import { lowLevelStatus, OrderTransitionRefused } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { Bucket } from "../../runtime/aws/bucket.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotFound } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { OutboxStore } from "../../store/events/outbox.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { notifyAppointmentPartners } from "../appointments/notify-appointment-partners.ts";
import {
  type SimulateAppointmentStepDependencies,
  simulateAppointmentStep,
  simulateAppointmentStepAccess,
} from "../appointments/simulate-appointment-step.ts";
import {
  type OrderChangeContext,
  type OrderChangePlan,
  syncAppointment,
  syncAppointmentAccess,
} from "../appointments/sync-appointment.ts";
import { type ChangeOrderDependencies, changeOrder, changeOrderAccess } from "../orders/change-order.ts";
import { loadPlacement } from "../orders/load-placement.ts";
import { planRedraw, planRedrawAccess } from "../orders/plan-redraw.ts";
import { applyReportAccess } from "../results/apply-report.ts";
import { applySimulatedStep, applySubmission } from "./lab-steps.ts";

/** Dependencies of order tasks. */
export type ProcessOrderTaskDependencies = ChangeOrderDependencies &
  SimulateAppointmentStepDependencies &
  Dependencies<"teams" | "orders" | "orderWork" | "orderPlacements" | "results"> & {
    readonly outbox: Pick<OutboxStore, "appendItem">;
    readonly findPartner: FindLabPartner;
    readonly findVisitPartner: FindAppointmentPartner;
  };

/** Grants of {@link processOrderTask}. */
export const processOrderTaskAccess = grants(
  [getItem(teams), getItem(users)],
  changeOrderAccess,
  deleteItem(orderWork),
  syncAppointmentAccess,
  simulateAppointmentStepAccess,
  planRedrawAccess,
  applyReportAccess,
);

/** The order of a task, with its team. */
type TaskOrder = OrderChangeContext & { readonly team: Team };

/** Delay of a task whose user is deleted but may be restored. */
const POSTPONE_MS = 3_600_000;

/**
 * Processes the due task of a message, and each due task of the same kind that follows.
 * One transaction writes the effect of a task and its completion, so a repeated run changes nothing.
 * Laboratories and appointment partners may receive a call twice; they recognise the number in it.
 * @returns the tasks to schedule next.
 */
export async function processOrderTask(
  scope: TeamScope,
  message: OrderTaskMessage,
  deps: ProcessOrderTaskDependencies,
): Promise<OrderTask[]> {
  const team = await deps.teams.get(message.team_id);
  const left = new Map<string, OrderTask>();
  for (;;) {
    const work = await deps.orderWork.get(scope, message.order_id, message.kind);
    if (!team || !work) return [...left.values()];
    if (Date.parse(work.due_at) > ports().clock.now()) return [...left.values(), work];
    let agreed: OrderChangePlan | undefined;
    try {
      await changeOrder({ scope, team }, work.order_id, deps, async (record, at, user) => {
        agreed = await processOnce(work, { scope, team, record, at, user }, deps);
        return agreed?.change;
      });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      await postponeTask(scope, work, deps);
      return [...left.values()];
    }
    for (const one of agreed?.tasks ?? []) left.set(one.work.kind, one);
  }
}

/** Postpones the task of a deleted user, who may be restored. Completes the task if the order no longer exists. */
async function postponeTask(scope: TeamScope, work: OrderTask, deps: ProcessOrderTaskDependencies): Promise<void> {
  const isThere = (await deps.orders.get(scope, work.order_id)) !== undefined;
  const due_at = new Date(ports().clock.now() + POSTPONE_MS).toISOString();
  const put = deps.orderWork.replaceItem(scope, work, { ...work, due_at });
  await deps.commit([isThere ? put : deps.orderWork.completeItem(scope, work)]);
}

/** Performs a task and completes it. Undefined if another run completed the task meanwhile. */
async function processOnce(
  work: OrderTask,
  changing: TaskOrder,
  deps: ProcessOrderTaskDependencies,
): Promise<OrderChangePlan | undefined> {
  const { scope, record } = changing;
  const present = await deps.orderWork.get(scope, work.order_id, work.work.kind);
  if (present?.work_id !== work.work_id || present.due_at !== work.due_at) return undefined;
  const { change, next, ...rest } = await performTask(work, changing, deps);
  const { order } = { ...record, ...change };
  const sample = order.sample_id;
  const isNewSample = sample !== null && record.order.sample_id === null;
  const items = [
    next ? deps.orderWork.replaceItem(scope, work, next) : deps.orderWork.completeItem(scope, work),
    ...(change.items ?? []),
    ...(isNewSample ? [deps.orders.assignSampleItem(scope, sample, order.id)] : []),
  ];
  return { ...rest, change: { ...change, items } };
}

/** The effect of a task; `next` replaces the task itself. */
interface TaskEffect extends OrderChangePlan {
  readonly next?: OrderTask;
}

async function performTask(
  work: OrderTask,
  changing: TaskOrder,
  deps: ProcessOrderTaskDependencies,
): Promise<TaskEffect> {
  const { record, at } = changing;
  const { order } = record;
  const draft = work.work;
  if (draft.kind === "walk") return advanceSimulation(work, draft, changing, deps);
  if (draft.kind === "visit") return { change: await notifyAppointmentPartners(changing, draft, deps), tasks: [] };
  const partner = deps.findPartner(order.lab_test.lab?.slug ?? "");
  if (!partner) throw new Error("no partner is configured for the laboratory of a submitted order");
  const partnerOrder = await loadPartnerOrder(record, deps.orderPlacements);
  if (draft.kind === "cancel") {
    await partner.cancel(partnerOrder);
    return { change: {}, tasks: [] };
  }
  if (record.requisition !== null) return { change: {}, tasks: [] };
  const change = applySubmission(record, partnerOrder.requisition, await partner.submit(partnerOrder), at);
  return syncAppointment(changing, change, deps);
}

async function advanceSimulation(
  work: OrderTask,
  walk: SimulationPlan,
  changing: TaskOrder,
  deps: ProcessOrderTaskDependencies,
): Promise<TaskEffect> {
  const [step, ...rest] = walk.steps;
  if (!step) return { change: {}, tasks: [] };
  try {
    const agreed = await simulateStep(step, walk, changing, deps);
    const { order } = { ...changing.record, ...agreed.change };
    // A waiting appointment can move the order several steps at once. Skip the steps that the order has already made.
    const done = rest.findIndex(({ level }) => level === lowLevelStatus(order));
    const steps = rest.slice(done + 1);
    const [next] = steps;
    if (!next) return agreed;
    return { ...agreed, next: { ...work, work: { ...walk, steps }, work_id: ports().ids.uuid(), due_at: next.at } };
  } catch (error) {
    // The order took another path meanwhile, which ends the simulation.
    if (error instanceof OrderTransitionRefused || error instanceof OrderCommandRefused)
      return { change: {}, tasks: [] };
    throw error;
  }
}

async function simulateStep(
  step: SimulationPlan["steps"][number],
  { flags, meeting }: SimulationPlan,
  changing: TaskOrder,
  deps: ProcessOrderTaskDependencies,
): Promise<OrderChangePlan> {
  if (step.level === REDRAW_AVAILABLE) {
    const { former, task, items } = await planRedraw(changing, changing.record, deps, changing.at);
    return { change: { order: former, items }, tasks: [task] };
  }
  const led = await simulateAppointmentStep(changing, step.level, meeting, deps);
  if (led) return led;
  const { scope, record, at } = changing;
  const change = await applySimulatedStep(scope, record, step, flags, at, deps);
  return syncAppointment(changing, change, deps);
}

async function loadPartnerOrder({ order, placement_key }: OrderRecord, placements: Bucket): Promise<PartnerOrder> {
  if (placement_key === null) throw new Error("an order without a placement cannot be submitted");
  return { order, placement: await loadPlacement(placements, placement_key), requisition: requisitionNumber(order.id) };
}
