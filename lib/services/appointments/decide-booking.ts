import {
  type Appointment,
  cancelAppointment,
  isReschedulable,
  newAppointment,
  rescheduleAppointment,
  reservationExpiryMs,
  transitionAppointment,
  withAppointmentSlot,
  withAppointmentVenue,
} from "../../domain/appointments/appointment.ts";
import type { AppointmentPartner, FindAppointmentPartner } from "../../domain/appointments/appointment-partner.ts";
import {
  type AppointmentRecord,
  appointmentNumber,
  type BookableVenue,
  bookingStatusFor,
  isOpenAppointment,
} from "../../domain/appointments/appointment-record.ts";
import {
  type BookingRequest,
  confirmationTimeouts,
  type RescheduleRequest,
} from "../../domain/appointments/appointment-requests.ts";
import type { Slot } from "../../domain/appointments/slots.ts";
import { isOrderFinished, lowLevelStatus, type Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { NotFound, NotPossible, ValidationFailed } from "../../runtime/errors.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { AppointmentKind } from "./appointment-kind.ts";
import type { AppointmentChange } from "./appointment-writes.ts";
import type { BookingDependencies, DecideAppointment } from "./execute-appointment-command.ts";
import { requireAppointmentKind, resolveBookingSlot } from "./resolve-booking-slot.ts";

/** Team, kind of appointment and dependencies of a booking. */
interface BookingContext {
  readonly scope: TeamScope;
  readonly kind: AppointmentKind;
  readonly deps: Pick<BookingDependencies, "slots" | "findVisitPartner">;
}

/** Decides on a booking: scheduled, reserved until the requisition exists, or pending confirmation. */
export const decideBooking =
  ({ scope, kind, deps }: BookingContext, asked: BookingRequest): DecideAppointment =>
  async ({ order, current, at }) => {
    requireAppointmentKind(order, kind);
    const waiting = current && isOpenAppointment(current.appointment) ? current : undefined;
    if (waiting && waiting.appointment.start_at !== null) refuseSecondAppointment(order, waiting.appointment, at);
    const status = requireBookableOrder(order);
    const nowMs = Date.parse(at);
    const booked = await resolveBookingSlot(
      { teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs },
      deps.slots,
    );
    const { provider, place } = booked.meeting;
    if (waiting && waiting.appointment.provider !== provider) {
      throw new NotPossible("The order has requested an appointment from another provider: cancel that request first.");
    }
    const partner = requireAppointmentPartner(deps.findVisitPartner, provider);
    const waits = status === "scheduled" ? confirmationWindow(asked, partner, nowMs) : undefined;
    const what = { order, ...booked, notes: asked.appointment_notes ?? null, at };
    const appointment = toBookedAppointment(waiting, waits ? "pending" : status, what);
    if (status === "reserved" && reservationExpiryMs(appointment) <= nowMs) {
      throw new NotPossible("The order has no requisition yet, and this time is too soon to wait for one.");
    }
    return { before: waiting, after: { appointment, place }, confirmation: waits };
  };

/** Input of a new appointment. */
interface AppointmentInput {
  readonly order: Order;
  readonly meeting: BookableVenue;
  /** Null for an appointment request without a time. */
  readonly slot: Slot | null;
  readonly notes: string | null;
  readonly at: string;
}

/** Creates an appointment of an order. */
export function createAppointment(
  { order, meeting: { place: _, ...meeting }, slot, notes, at }: AppointmentInput,
  status: "pending" | "reserved" | "scheduled",
): Appointment {
  const id = ports().ids.uuid();
  return newAppointment({ ...meeting, id, providerId: appointmentNumber(id), order, slot, notes }, status, at);
}

/** Creates an appointment with a slot, or adds the slot to a pending appointment. @throws AppointmentRefused. */
export function toBookedAppointment(
  waiting: AppointmentRecord | undefined,
  status: "pending" | "reserved" | "scheduled",
  making: AppointmentInput & { readonly slot: Slot },
): Appointment {
  if (!waiting) return createAppointment(making, status);
  const { appointment } = waiting;
  const moved = status === "pending" ? appointment : transitionAppointment(appointment, status, making.at);
  return withAppointmentVenue(withAppointmentSlot(moved, making.slot, making.notes), making.meeting);
}

/**
 * Refuses another appointment for an order with an open one, unless the order is finished.
 * @param at ISO 8601. @throws NotPossible with what the caller can do instead.
 */
export function refuseSecondAppointment(order: Order, appointment: Appointment, at: string): void {
  if (isOrderFinished(order)) return;
  const help = isReschedulable(appointment, at) ? "reschedule or cancel it." : "cancel it first.";
  throw new NotPossible(`The order already has an appointment: ${help}`);
}

/** The status that a booking of this order gets. @throws NotPossible for an order that is not bookable now. */
export function requireBookableOrder(order: Order): "scheduled" | "reserved" {
  const level = lowLevelStatus(order);
  const status = bookingStatusFor(level);
  if (!status) throw new NotPossible(`An order in status ${level} cannot get an appointment.`);
  return status;
}

/** The partner for the appointments of a provider. @throws NotPossible if the deployment has none. */
export function requireAppointmentPartner(find: FindAppointmentPartner, provider: string): AppointmentPartner {
  const partner = find(provider);
  if (!partner) throw new NotPossible(`This deployment is not connected to ${provider}.`);
  return partner;
}

/** How long a booking awaits confirmation after the response; undefined if the response confirms it. */
function confirmationWindow(
  asked: BookingRequest,
  { confirmationDelayMs }: AppointmentPartner,
  nowMs: number,
): AppointmentChange["confirmation"] {
  const patience = confirmationTimeouts(asked);
  if (!patience || confirmationDelayMs <= patience.syncMs) return undefined;
  const iso = (afterMs: number) => new Date(nowMs + afterMs).toISOString();
  return { until: iso(Math.min(confirmationDelayMs, patience.asyncMs)), deadline: iso(patience.asyncMs) };
}

/** Decides on another time for an appointment, with the same provider. */
export const decideReschedule =
  ({ scope, kind, deps }: BookingContext, asked: RescheduleRequest): DecideAppointment =>
  async ({ order, current, at }) => {
    const { appointment } = requireAppointment(current, kind);
    if (isOrderFinished(order)) throw new NotPossible("The order is finished.");
    const about = { teamId: scope.teamId, order, text: asked.booking_key, kind, nowMs: Date.parse(at) };
    const { meeting, slot } = await resolveBookingSlot({ ...about, appointmentId: appointment.id }, deps.slots);
    const { provider, place } = meeting;
    if (provider !== appointment.provider) throw new NotPossible("This appointment belongs to another provider.");
    requireAppointmentPartner(deps.findVisitPartner, provider);
    const moved = rescheduleAppointment(appointment, slot, asked.appointment_notes, at);
    return { before: current, after: { appointment: withAppointmentVenue(moved, meeting), place } };
  };

/** Decides on a cancellation for one of the reasons of its kind. */
export const decideCancellation =
  (kind: AppointmentKind, reasonId: string, note: string | null = null): DecideAppointment =>
  ({ current, at }) => {
    const before = requireAppointment(current, kind);
    const { reasons, field } = kind.cancellation;
    if (!reasons.some(({ id }) => id === reasonId)) {
      throw ValidationFailed.at(["body", field], "Not a valid cancellation reason");
    }
    const appointment = cancelAppointment(before.appointment, { reasonId, note }, at);
    return { before, after: { ...before, appointment } };
  };

/** Requires the current or last appointment to be of a kind. @throws NotFound. */
export function requireAppointment(
  present: AppointmentRecord | undefined,
  { type }: Pick<AppointmentKind, "type">,
): AppointmentRecord {
  if (present?.appointment.type !== type) throw new NotFound("The order has no such appointment.");
  return present;
}
