import {
  type Appointment,
  atTime,
  cancelAppointment,
  heldAt,
  moveAppointment,
  newAppointment,
  rescheduleAppointment,
  reservationEndMs,
} from "../../domain/appointments/appointment.ts";
import {
  type AppointmentRecord,
  appointmentNumber,
  bookableAs,
  isOpen,
  type MeetingPlace,
} from "../../domain/appointments/appointment-record.ts";
import {
  type BookingRequest,
  patienceOf,
  type RescheduleRequest,
} from "../../domain/appointments/appointment-requests.ts";
import type { CancellationReason } from "../../domain/appointments/cancellation-reasons.ts";
import type { Slot } from "../../domain/appointments/slots.ts";
import type { FindVisitPartner, VisitPartner } from "../../domain/appointments/visit-partner.ts";
import { currentLevel, isOrderOver, type Order } from "../../domain/orders/order-move.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { NotFound, NotPossible, ValidationFailed } from "../errors.ts";
import { ports } from "../ports.ts";
import type { AppointmentChange } from "./appointment-writes.ts";
import { bookedTime, requireKind } from "./booked-time.ts";
import type { BookingUses, Decide } from "./commanding.ts";
import type { MeetingKind } from "./meeting-kind.ts";

/** Team, kind of appointment and dependencies of a booking. */
interface Asking {
  readonly scope: TeamScope;
  readonly kind: MeetingKind;
  readonly uses: Pick<BookingUses, "slots" | "findVisitPartner">;
}

/** Decides on a booking: scheduled, reserved until the requisition exists, or pending confirmation. */
export const booking =
  ({ scope, kind, uses }: Asking, asked: BookingRequest): Decide =>
  async ({ order, present, at }) => {
    requireKind(order, kind);
    const status = requireBookable(order);
    const waiting = present && isOpen(present.appointment) ? present : undefined;
    if (waiting && waiting.appointment.start_at !== null) {
      throw new NotPossible("The order already has an appointment: reschedule or cancel it.");
    }
    const nowMs = Date.parse(at);
    const booked = await bookedTime({ teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs }, uses.slots);
    const { provider, place } = booked.meeting;
    if (waiting && waiting.appointment.provider !== provider) {
      throw new NotPossible("The order has requested an appointment from another provider: cancel that request first.");
    }
    const partner = requirePartner(uses.findVisitPartner, provider);
    const waits = status === "scheduled" ? waitsOf(asked, partner, nowMs) : undefined;
    const what = { order, ...booked, notes: asked.appointment_notes ?? null, at };
    const appointment = withTime(waiting, waits ? "pending" : status, what);
    if (status === "reserved" && reservationEndMs(appointment) <= nowMs) {
      throw new NotPossible("The order has no requisition yet, and this time is too soon to wait for one.");
    }
    return { before: waiting, after: { appointment, place }, waits };
  };

/** Input of a new appointment. */
interface Making {
  readonly order: Order;
  readonly meeting: MeetingPlace;
  /** Null for an appointment request without a time. */
  readonly slot: Slot | null;
  readonly notes: string | null;
  readonly at: string;
}

/** Creates an appointment of an order. */
export function freshAppointment(
  { order, meeting: { place: _, ...meeting }, slot, notes, at }: Making,
  status: "pending" | "reserved" | "scheduled",
): Appointment {
  const id = ports().ids.uuid();
  return newAppointment({ ...meeting, id, providerId: appointmentNumber(id), order, slot, notes }, status, at);
}

/** Creates an appointment with a slot, or adds the slot to a pending appointment. @throws AppointmentRefused. */
export function withTime(
  waiting: AppointmentRecord | undefined,
  status: "pending" | "reserved" | "scheduled",
  making: Making & { readonly slot: Slot },
): Appointment {
  if (!waiting) return freshAppointment(making, status);
  const { appointment } = waiting;
  const moved = status === "pending" ? appointment : moveAppointment(appointment, status, making.at);
  return heldAt(atTime(moved, making.slot, making.notes), making.meeting);
}

/** The status that a booking of this order gets. @throws NotPossible for an order that is not bookable now. */
export function requireBookable(order: Order): "scheduled" | "reserved" {
  const level = currentLevel(order);
  const status = bookableAs(level);
  if (!status) throw new NotPossible(`An order in status ${level} cannot have an appointment.`);
  return status;
}

/** The partner for the appointments of a provider. @throws NotPossible if the deployment has none. */
export function requirePartner(find: FindVisitPartner, provider: string): VisitPartner {
  const partner = find(provider);
  if (!partner) throw new NotPossible(`This deployment is not connected to ${provider}.`);
  return partner;
}

/** How long a booking awaits confirmation after the response; undefined if the response confirms it. */
function waitsOf(asked: BookingRequest, { confirmsInMs }: VisitPartner, nowMs: number): AppointmentChange["waits"] {
  const patience = patienceOf(asked);
  if (!patience || confirmsInMs <= patience.syncMs) return undefined;
  const iso = (afterMs: number) => new Date(nowMs + afterMs).toISOString();
  return { until: iso(Math.min(confirmsInMs, patience.asyncMs)), deadline: iso(patience.asyncMs) };
}

/** Decides on another time for an appointment, with the same provider. */
export const rescheduling =
  ({ scope, kind, uses }: Asking, asked: RescheduleRequest): Decide =>
  async ({ order, present, at }) => {
    const { appointment } = requireAppointment(present, kind);
    if (isOrderOver(order)) throw new NotPossible("The order is finished.");
    const about = { teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs: Date.parse(at) };
    const { meeting, slot } = await bookedTime({ ...about, appointmentId: appointment.id }, uses.slots);
    const { provider, place } = meeting;
    if (provider !== appointment.provider) throw new NotPossible("This appointment belongs to another provider.");
    requirePartner(uses.findVisitPartner, provider);
    const moved = rescheduleAppointment(appointment, slot, asked.appointment_notes, at);
    return { before: present, after: { appointment: heldAt(moved, meeting), place } };
  };

/** Reason of a cancellation; `field` is its request field. */
interface Why {
  readonly reasons: readonly CancellationReason[];
  readonly reasonId: string;
  readonly field: string;
  readonly note: string | null | undefined;
}

/** Decides on a cancellation. */
export const cancelling =
  (kind: MeetingKind, { reasons, reasonId, field, note = null }: Why): Decide =>
  ({ present, at }) => {
    const before = requireAppointment(present, kind);
    if (!reasons.some(({ id }) => id === reasonId)) {
      throw ValidationFailed.at(["body", field], "Not a valid cancellation reason");
    }
    const appointment = cancelAppointment(before.appointment, { reasonId, note }, at);
    return { before, after: { ...before, appointment } };
  };

/** Requires the current or last appointment to be of a kind. @throws NotFound. */
export function requireAppointment(
  present: AppointmentRecord | undefined,
  { type }: Pick<MeetingKind, "type">,
): AppointmentRecord {
  if (present?.appointment.type !== type) throw new NotFound("The order has no such appointment.");
  return present;
}
