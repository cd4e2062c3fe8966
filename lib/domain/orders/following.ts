import type { AppointmentStatus } from "../appointments/appointment-states.ts";
import type { Interpretation } from "../results/interpretation.ts";
import { canMoveTo, currentLevel, expectedDates, moveTo, type Order } from "./order-move.ts";

/** What an order is told of its appointment. */
export interface AppointmentNews {
  readonly id: string;
  readonly event_status: AppointmentStatus;
  readonly start_at: string | null;
}

/** The statuses that an order goes through when its appointment gets into one. */
const followed: Readonly<Record<AppointmentStatus, readonly string[]>> = {
  pending: ["appointment_pending"],
  // A time that is held while the requisition is made; see afterRequisition.
  reserved: [],
  scheduled: ["appointment_pending", "appointment_scheduled"],
  in_progress: [],
  completed: ["draw_completed"],
  cancelled: ["appointment_cancelled"],
};

/**
 * An order after a change of its appointment: steps that lead to where the appointment is, as far as its table has them.
 * News that changes nothing, comes late or is about another way of collecting leaves the order as it is, but it names the
 * appointment. Only a scheduled appointment that is scheduled again repeats its status.
 */
export function followAppointment(order: Order, news: AppointmentNews, at: string): Order {
  const named = withAppointment(order, news.id, at);
  if (named === undefined) return order;
  const dated = withExpectedDates(named, news);
  const levels = followed[news.event_status];
  const last = levels.at(-1);
  if (last === undefined) return dated;
  if (last === currentLevel(dated) && last !== "appointment_scheduled") return dated;
  return steps(dated, levels, at);
}

/** The order once its requisition is there: what its appointment waited for happens now. */
export function afterRequisition(order: Order, news: AppointmentNews | undefined, at: string): Order {
  const ready = moveTo(order, "requisition_created", at);
  return news ? followAppointment(ready, news, at) : ready;
}

/** The shortest run of these statuses that ends in the last of them; none where the order can not get there. */
function steps(order: Order, levels: readonly string[], at: string): Order {
  for (let from = levels.length - 1; from >= 0; from--) {
    const first = levels[from] ?? "";
    // Pending must not be repeated on the way to a status that can be reached at once.
    if (!canMoveTo(order, first)) continue;
    return levels.slice(from).reduce((walked, level) => moveTo(walked, level, at), order);
  }
  return order;
}

function withAppointment(order: Order, appointment_id: string, at: string): Order | undefined {
  const { details } = order;
  if (details.type !== "walk_in_test" && details.type !== "at_home_phlebotomy") return undefined;
  if (details.data === null || details.data.appointment_id === appointment_id) return order;
  return { ...order, details: { type: details.type, data: { ...details.data, appointment_id, updated_at: at } } };
}

/** A sample that is to be taken on a known day has its result some days later. */
function withExpectedDates(order: Order, { event_status, start_at }: AppointmentNews): Order {
  if (event_status !== "scheduled" || start_at === null) return order;
  return { ...order, ...expectedDates(order.lab_test, start_at.slice(0, 10)) };
}

/** What an order is told of its results. */
export interface ResultNews {
  readonly status: "partial" | "final" | "corrected";
  readonly interpretation: Interpretation;
  readonly hasMissingResults: boolean;
}

/**
 * An order after results came: partial ones repeat their status each time; the final ones complete it; what comes after
 * these corrects it.
 * @throws OrderMoveRefused where no result can belong to an order in its status: it is for a person to look at.
 */
export function followResults(order: Order, news: ResultNews, at: string): Order {
  const isDone = ["completed", "corrected"].includes(currentLevel(order));
  const level = isDone ? "corrected" : news.status === "partial" ? "partial_results" : "completed";
  // Kits have no status of partial results: the order waits for the whole.
  const stays = level === "partial_results" && order.details.type === "testkit" && canMoveTo(order, "completed");
  return {
    ...(stays ? { ...order, updated_at: at } : moveTo(order, level, at)),
    interpretation: news.interpretation,
    has_missing_results: news.hasMissingResults,
  };
}
