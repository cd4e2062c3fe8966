import type { AppointmentStatus } from "../../appointments/appointment-states.ts";
import { localDateAt } from "../../appointments/wall-clock.ts";
import type { Interpretation } from "../../results/interpretation.ts";
import type { LabReport } from "../../results/lab-report.ts";
import type { LowLevelStatus } from "./order-status.ts";
import { canTransitionTo, expectedResultDates, lowLevelStatus, type Order, transitionTo } from "./order-transitions.ts";
import { isResultedStatus } from "./transition-table.ts";

/** Change of an appointment that its order reacts to. */
export interface AppointmentUpdate {
  readonly id: string;
  readonly event_status: AppointmentStatus;
  readonly start_at: string | null;
  readonly iana_timezone: string | null;
}

/** Low-level statuses that an order takes in turn when its appointment enters a status. */
const statusesByAppointment: Readonly<Record<AppointmentStatus, readonly LowLevelStatus[]>> = {
  pending: ["appointment_pending"],
  // The time is only held until the requisition exists; `applyRequisitionCreated` applies it then.
  reserved: [],
  scheduled: ["appointment_pending", "appointment_scheduled"],
  in_progress: [],
  completed: ["draw_completed"],
  cancelled: ["appointment_cancelled"],
};

/**
 * Applies a change of an appointment to its order: the order takes every allowed transition towards the appointment's
 * status. A late or repeated change, or one for another collection method, adds no status; the order still refers to
 * the appointment. Only a rescheduled appointment repeats `appointment_scheduled`.
 */
export function applyAppointmentUpdate(order: Order, news: AppointmentUpdate, at: string): Order {
  const named = withAppointment(order, news.id, at);
  if (named === undefined) return order;
  const levels = statusesByAppointment[news.event_status];
  const last = levels.at(-1);
  const isThere = last === undefined || (last === lowLevelStatus(named) && last !== "appointment_scheduled");
  // The statuses on the way remove the dates of an earlier appointment.
  return withExpectedDates(isThere ? named : takeShortestPath(named, levels, at), news);
}

/** Moves an order to `requisition_created` and applies the change of an appointment that waited for the requisition. */
export function applyRequisitionCreated(order: Order, news: AppointmentUpdate | undefined, at: string): Order {
  const ready = transitionTo(order, "requisition_created", at);
  return news ? applyAppointmentUpdate(ready, news, at) : ready;
}

/** Applies the shortest suffix of `levels` that the transition table allows; otherwise returns the order unchanged. */
function takeShortestPath(order: Order, levels: readonly LowLevelStatus[], at: string): Order {
  for (let from = levels.length - 1; from >= 0; from--) {
    const first = levels[from];
    // A status that is reachable at once must not be preceded by a repeated `appointment_pending`.
    if (first === undefined || !canTransitionTo(order, first)) continue;
    return levels.slice(from).reduce((walked, level) => transitionTo(walked, level, at), order);
  }
  return order;
}

function withAppointment(order: Order, appointment_id: string, at: string): Order | undefined {
  const { details } = order;
  if (details.type !== "walk_in_test" && details.type !== "at_home_phlebotomy") return undefined;
  if (details.data === null || details.data.appointment_id === appointment_id) return order;
  return { ...order, details: { type: details.type, data: { ...details.data, appointment_id, updated_at: at } } };
}

/** Derives the expected result dates from the local day of the scheduled appointment. */
function withExpectedDates(order: Order, { event_status, start_at, iana_timezone }: AppointmentUpdate): Order {
  if (event_status !== "scheduled" || start_at === null) return order;
  return { ...order, ...expectedResultDates(order.lab_test, localDateAt(iana_timezone, start_at)) };
}

/** Change of results that their order reacts to. */
export interface ResultUpdate {
  readonly status: LabReport["status"];
  readonly interpretation: Interpretation;
  readonly hasMissingResults: boolean;
}

/**
 * Applies results to their order. Each partial result repeats `partial_results`; a final result completes the order;
 * any later result or withdrawal corrects it.
 * @throws OrderTransitionRefused when the status of the order allows no result. The report then needs a review.
 */
export function applyResultUpdate(order: Order, news: ResultUpdate, at: string): Order {
  const isDone = isResultedStatus(lowLevelStatus(order));
  if (news.status === "withdrawn" && !isDone) return applyWithdrawal(order, news, at);
  const level = isDone ? "corrected" : news.status === "partial" ? "partial_results" : "completed";
  // Test kits have no `partial_results` status: the order waits for the final result.
  const stays = level === "partial_results" && order.details.type === "testkit" && canTransitionTo(order, "completed");
  return {
    ...(stays ? { ...order, updated_at: at } : transitionTo(order, level, at)),
    interpretation: news.interpretation,
    has_missing_results: news.hasMissingResults,
  };
}

/** Applies a withdrawal to an order that waits for results. Republishes partial results and changes no other status. */
function applyWithdrawal(order: Order, news: ResultUpdate, at: string): Order {
  const hasPartial = lowLevelStatus(order) === "partial_results";
  const moved = hasPartial ? transitionTo(order, "partial_results", at) : { ...order, updated_at: at };
  return { ...moved, interpretation: news.interpretation, has_missing_results: news.hasMissingResults };
}
