import * as z from "zod";
import type { Order } from "../orders/lifecycle/order-transitions.ts";
import { hasBookableTimes } from "./appointment-providers.ts";
import { type UsAddress, usAddress } from "./appointment-requests.ts";
import { type AppointmentStatus, appointmentStatusOf, canAppointmentTransition } from "./appointment-states.ts";
import { type Slot, slotKinds } from "./slots.ts";
import type { wireAppointment } from "./wire-appointment.ts";

/** Appointment, in the shape that is both stored and returned. */
export type Appointment = z.output<typeof wireAppointment>;
type EventData = Appointment["event_data"];

/** The current state of an appointment does not allow an operation; the message gives the reason. */
export class AppointmentRefused extends Error {
  override readonly name = "AppointmentRefused";
}

/** A reservation without a requisition expires this long after its creation, or this long before its start. */
const REQUISITION_DEADLINE_MS = 8 * 3_600_000;
const REQUISITION_NOTICE_MS = 2 * 3_600_000;

/** Venue of an appointment: its type, provider, address and time zone. */
export const appointmentVenue = z.object({
  type: z.enum(slotKinds),
  provider: z.string(),
  address: usAddress,
  location: z.object({ lng: z.number(), lat: z.number() }),
  /** IANA time zone of the appointment's times. */
  zone: z.string(),
});
export type AppointmentVenue = z.output<typeof appointmentVenue>;

/** Input of a new appointment. */
export interface NewAppointmentInput extends AppointmentVenue {
  readonly id: string;
  /** Number of the appointment at its provider. */
  readonly providerId: string;
  readonly order: Order;
  /** Null while the appointment is only requested. */
  readonly slot: Slot | null;
  readonly notes: string | null;
}

/** Creates an appointment: `scheduled`, `reserved` until its order has a requisition, or `pending` until confirmed. */
export function newAppointment(
  { order, slot, ...about }: NewAppointmentInput,
  status: "pending" | "reserved" | "scheduled",
  at: string,
): Appointment {
  return {
    id: about.id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    address: toWireAddress(about.address),
    location: { ...about.location },
    ...toWireTimes(slot),
    iana_timezone: about.zone,
    type: about.type,
    provider: about.provider,
    provider_id: about.providerId,
    external_id: null,
    appointment_notes: about.notes,
    ...statusFields(about.provider, status, null),
    events: [{ created_at: at, status, data: null }],
  };
}

/** Changes the status of an appointment. @throws AppointmentRefused for a transition outside the table. */
export function transitionAppointment(
  appointment: Appointment,
  to: AppointmentStatus,
  at: string,
  data: EventData = null,
): Appointment {
  const from = appointment.event_status;
  if (!canAppointmentTransition(from, to))
    throw new AppointmentRefused(`An appointment cannot change from ${from} to ${to}.`);
  const events = [...appointment.events, { created_at: at, status: to, data }];
  return { ...appointment, ...statusFields(appointment.provider, to, data), events };
}

/**
 * Moves an appointment to another slot. Absent notes stay unchanged. The provider receives the notes and the address,
 * with its access notes, on every reschedule.
 *
 * @throws AppointmentRefused for an appointment without a time, or one that has started or is closed.
 */
export function rescheduleAppointment(
  appointment: Appointment,
  slot: Slot,
  notes: string | null | undefined,
  at: string,
): Appointment {
  if (!appointment.can_reschedule) throw new AppointmentRefused("This appointment cannot be rescheduled.");
  if (hasStarted(appointment, at)) throw new AppointmentRefused("This appointment has already started.");
  const before = { start_at: appointment.start_at, end_at: appointment.end_at };
  return withAppointmentSlot(
    transitionAppointment(appointment, "scheduled", at, { rescheduled_from: before }),
    slot,
    notes,
  );
}

/** Sets the slot of an appointment; absent notes stay unchanged. */
export const withAppointmentSlot = (
  appointment: Appointment,
  slot: Slot,
  notes: string | null | undefined,
): Appointment => ({
  ...appointment,
  ...toWireTimes(slot),
  appointment_notes: notes ?? appointment.appointment_notes,
});

/** Sets the venue of an appointment. */
export const withAppointmentVenue = (
  appointment: Appointment,
  { address, location, zone }: AppointmentVenue,
): Appointment => ({
  ...appointment,
  address: toWireAddress(address),
  location: { ...location },
  iana_timezone: zone,
});

/** Cancels an appointment. @throws AppointmentRefused for a closed appointment. */
export function cancelAppointment(
  appointment: Appointment,
  why: { readonly reasonId: string | null; readonly note: string | null },
  at: string,
): Appointment {
  return transitionAppointment(appointment, "cancelled", at, { cancellation_reason_id: why.reasonId, note: why.note });
}

/**
 * Expiry of a reservation without a requisition, epoch ms: eight hours after the last event, or two before its start.
 */
export function reservationExpiryMs({ events, start_at }: Appointment): number {
  const madeMs = Date.parse(events.at(-1)?.created_at ?? "");
  const startMs = start_at === null ? Number.POSITIVE_INFINITY : Date.parse(start_at);
  return Math.min(madeMs + REQUISITION_DEADLINE_MS, startMs - REQUISITION_NOTICE_MS + 1);
}

/** Whether a reservation expired before its order had a requisition. */
export const isReservationExpired = (appointment: Appointment, nowMs: number): boolean =>
  appointment.event_status === "reserved" && nowMs >= reservationExpiryMs(appointment);

const IN_US = /^(us|usa|united states( of america)?)$/i;

/** Address of the patient with access notes, in the form of an appointment; undefined outside the United States. */
export function patientHomeAddress(order: Order): UsAddress | undefined {
  const home = order.patient_address;
  if (home === null || !IN_US.test(home.country)) return undefined;
  const { first_line, second_line, city, state, zip, access_notes } = home;
  return usAddress.safeParse({ first_line, second_line, city, state, zip_code: zip, access_notes }).data;
}

/** Whether an appointment can move to another slot: {@link rescheduleAppointment} does not refuse it. */
export const isReschedulable = (appointment: Appointment, at: string): boolean =>
  appointment.can_reschedule && !hasStarted(appointment, at);

const hasStarted = ({ start_at }: Appointment, at: string) =>
  start_at !== null && Date.parse(start_at) <= Date.parse(at);

function toWireTimes(slot: Slot | null): Pick<Appointment, "start_at" | "end_at"> {
  if (slot === null) return { start_at: null, end_at: null };
  return { start_at: new Date(slot.startMs).toISOString(), end_at: new Date(slot.endMs).toISOString() };
}

/** Fields that follow from the last event of an appointment. */
function statusFields(provider: string, status: AppointmentStatus, data: EventData) {
  return {
    status: appointmentStatusOf(status),
    event_status: status,
    event_data: data,
    can_reschedule: status === "scheduled" && hasBookableTimes(provider),
  };
}

function toWireAddress(address: UsAddress): Appointment["address"] {
  return {
    ...address,
    second_line: address.second_line ?? null,
    unit: address.unit ?? null,
    access_notes: address.access_notes ?? null,
  };
}
