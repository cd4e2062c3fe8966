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

/** Who asks for a time of which kind. */
interface Asking {
  readonly scope: TeamScope;
  readonly kind: MeetingKind;
  readonly uses: Pick<BookingUses, "slots" | "findVisitPartner">;
}

/** A booking: at once, reserved before there is a requisition, or waiting for its confirmation. */
export const booking =
  ({ scope, kind, uses }: Asking, asked: BookingRequest): Decide =>
  async ({ order, present, at }) => {
    requireKind(order, kind);
    const status = requireBookable(order);
    const waiting = present && isOpen(present.appointment) ? present : undefined;
    if (waiting && waiting.appointment.start_at !== null) {
      throw new NotPossible("The order has an appointment: reschedule or cancel it.");
    }
    const nowMs = Date.parse(at);
    const booked = await bookedTime({ teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs }, uses.slots);
    const { provider, place } = booked.meeting;
    if (waiting && waiting.appointment.provider !== provider) {
      throw new NotPossible("Another provider is asked for an appointment: cancel that first.");
    }
    const partner = requirePartner(uses.findVisitPartner, provider);
    const waits = status === "scheduled" ? waitsOf(asked, partner, nowMs) : undefined;
    const what = { order, ...booked, notes: asked.appointment_notes ?? null, at };
    const appointment = withTime(waiting, waits ? "pending" : status, what);
    if (status === "reserved" && reservationEndMs(appointment) <= nowMs) {
      throw new NotPossible("There is no requisition yet, and the time is too near to wait for one.");
    }
    return { before: waiting, after: { appointment, place }, waits };
  };

/** What an appointment is made of. */
interface Making {
  readonly order: Order;
  readonly meeting: MeetingPlace;
  /** Null while it is only asked for. */
  readonly slot: Slot | null;
  readonly notes: string | null;
  readonly at: string;
}

/** A new appointment of an order. */
export function freshAppointment(
  { order, meeting: { place: _, ...meeting }, slot, notes, at }: Making,
  status: "pending" | "reserved" | "scheduled",
): Appointment {
  const id = ports().ids.uuid();
  return newAppointment({ ...meeting, id, providerId: appointmentNumber(id), order, slot, notes }, status, at);
}

/** An appointment with a time: a new one, or the one that waited for a time. @throws AppointmentRefused. */
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

/** How an order takes a time. @throws NotPossible for one that takes none now. */
export function requireBookable(order: Order): "scheduled" | "reserved" {
  const level = currentLevel(order);
  const status = bookableAs(level);
  if (!status) throw new NotPossible(`An order in ${level} is given no appointment.`);
  return status;
}

/** Whoever gives the appointments of a provider. @throws NotPossible where there is no connection. */
export function requirePartner(find: FindVisitPartner, provider: string): VisitPartner {
  const partner = find(provider);
  if (!partner) throw new NotPossible(`This deployment is not connected to ${provider}.`);
  return partner;
}

/** Until when a booking waits for its confirmation after its answer; undefined for one that is confirmed with it. */
function waitsOf(asked: BookingRequest, { confirmsInMs }: VisitPartner, nowMs: number): AppointmentChange["waits"] {
  const patience = patienceOf(asked);
  if (!patience || confirmsInMs <= patience.syncMs) return undefined;
  const iso = (afterMs: number) => new Date(nowMs + afterMs).toISOString();
  return { until: iso(Math.min(confirmsInMs, patience.asyncMs)), deadline: iso(patience.asyncMs) };
}

/** Another time for an appointment, at the same provider. */
export const rescheduling =
  ({ scope, kind, uses }: Asking, asked: RescheduleRequest): Decide =>
  async ({ order, present, at }) => {
    const { appointment } = requireAppointment(present, kind);
    if (isOrderOver(order)) throw new NotPossible("The order is over.");
    const about = { teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs: Date.parse(at) };
    const { meeting, slot } = await bookedTime({ ...about, appointmentId: appointment.id }, uses.slots);
    const { provider, place } = meeting;
    if (provider !== appointment.provider) throw new NotPossible("Another provider gives this appointment.");
    requirePartner(uses.findVisitPartner, provider);
    const moved = rescheduleAppointment(appointment, slot, asked.appointment_notes, at);
    return { before: present, after: { appointment: heldAt(moved, meeting), place } };
  };

/** Why an appointment is cancelled, and in which field of the request that stands. */
interface Why {
  readonly reasons: readonly CancellationReason[];
  readonly reasonId: string;
  readonly field: string;
  readonly note: string | null | undefined;
}

/** A cancellation. */
export const cancelling =
  (kind: MeetingKind, { reasons, reasonId, field, note = null }: Why): Decide =>
  ({ present, at }) => {
    const before = requireAppointment(present, kind);
    if (!reasons.some(({ id }) => id === reasonId)) {
      throw ValidationFailed.at(["body", field], "Not one of the reasons that can be asked for");
    }
    const appointment = cancelAppointment(before.appointment, { reasonId, note }, at);
    return { before, after: { ...before, appointment } };
  };

/** The appointment of a kind that an order has, or had last. @throws NotFound. */
export function requireAppointment(
  present: AppointmentRecord | undefined,
  { type }: Pick<MeetingKind, "type">,
): AppointmentRecord {
  if (present?.appointment.type !== type) throw new NotFound("The order has no such appointment.");
  return present;
}
