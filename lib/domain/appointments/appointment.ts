import * as z from "zod";
import type { Order } from "../orders/order-move.ts";
import type { wireAppointment } from "../orders/wire-appointment.ts";
import { type UsAddress, usAddress } from "./appointment-requests.ts";
import { type AppointmentStatus, canAppointmentMove, statusOf } from "./appointment-states.ts";
import type { Slot } from "./slots.ts";

/** An appointment as stored and as answered: both are one. */
export type Appointment = z.output<typeof wireAppointment>;
type EventData = Appointment["event_data"];

/** What can not be done with an appointment in its present state; the message says why. */
export class AppointmentRefused extends Error {
  override readonly name = "AppointmentRefused";
}

/** Hours before its time that an appointment is given up when its order has no requisition, and after it was made. */
export const REQUISITION_DEADLINE_MS = 8 * 3_600_000;
export const REQUISITION_NOTICE_MS = 2 * 3_600_000;

/** Where and by whom a sample is taken. */
export const meeting = z.object({
  type: z.enum(["phlebotomy", "patient_service_center"]),
  provider: z.string(),
  address: usAddress,
  location: z.object({ lng: z.number(), lat: z.number() }),
  /** The clocks by which its times are. */
  zone: z.string(),
});
export type Meeting = z.output<typeof meeting>;

/** What a new appointment is about. */
export interface Arrangement extends Meeting {
  readonly id: string;
  /** The appointment, as whoever gives it knows it. */
  readonly providerId: string;
  readonly order: Order;
  /** Null while it is only asked for. */
  readonly slot: Slot | null;
  readonly notes: string | null;
}

/** A new appointment: `scheduled`, `reserved` while it waits for a requisition, `pending` while it is only asked for. */
export function newAppointment(
  { order, slot, ...about }: Arrangement,
  status: "pending" | "reserved" | "scheduled",
  at: string,
): Appointment {
  return {
    id: about.id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.order_transaction?.id ?? null,
    address: wholeAddress(about.address),
    location: { ...about.location },
    ...timesOf(slot),
    iana_timezone: about.zone,
    type: about.type,
    provider: about.provider,
    provider_id: about.providerId,
    external_id: null,
    appointment_notes: about.notes,
    ...standing(status, null, []),
    events: [{ created_at: at, status, data: null }],
  };
}

/** The appointment in its next status. @throws AppointmentRefused for a step that is not in the table. */
export function moveAppointment(
  appointment: Appointment,
  to: AppointmentStatus,
  at: string,
  data: EventData = null,
): Appointment {
  const from = appointment.event_status;
  if (!canAppointmentMove(from, to)) throw new AppointmentRefused(`An appointment can not go from ${from} to ${to}.`);
  return { ...appointment, ...standing(to, data, [...appointment.events, { created_at: at, status: to, data }]) };
}

/**
 * The appointment at another time. Notes that are not given stay as they were; they and the address, with how to get in,
 * go to whoever gives the appointment each time (spec, User info).
 *
 * @throws AppointmentRefused for one that has no time, has begun or is over.
 */
export function rescheduleAppointment(
  appointment: Appointment,
  slot: Slot,
  notes: string | null | undefined,
  at: string,
): Appointment {
  if (!appointment.can_reschedule) throw new AppointmentRefused("This appointment can not be moved.");
  if (hasBegun(appointment, at)) throw new AppointmentRefused("The time of this appointment has come.");
  const before = { start_at: appointment.start_at, end_at: appointment.end_at };
  return atTime(moveAppointment(appointment, "scheduled", at, { rescheduled_from: before }), slot, notes);
}

/** The appointment at a time, with its notes where none are given now. */
export const atTime = (appointment: Appointment, slot: Slot, notes: string | null | undefined): Appointment => ({
  ...appointment,
  ...timesOf(slot),
  appointment_notes: notes ?? appointment.appointment_notes,
});

/** The appointment somewhere else, or as its place is known now. */
export const heldAt = (appointment: Appointment, { address, location, zone }: Meeting): Appointment => ({
  ...appointment,
  address: wholeAddress(address),
  location: { ...location },
  iana_timezone: zone,
});

/** The appointment, cancelled. @throws AppointmentRefused for one that is over. */
export function cancelAppointment(
  appointment: Appointment,
  why: { readonly reasonId: string | null; readonly note: string | null },
  at: string,
): Appointment {
  return moveAppointment(appointment, "cancelled", at, { cancellation_reason_id: why.reasonId, note: why.note });
}

/** When (epoch ms) an appointment that waits for a requisition is given up: eight hours on, or two before its time. */
export function reservationEndMs({ events, start_at }: Appointment): number {
  const madeMs = Date.parse(events.at(-1)?.created_at ?? "");
  const startMs = start_at === null ? Number.POSITIVE_INFINITY : Date.parse(start_at);
  return Math.min(madeMs + REQUISITION_DEADLINE_MS, startMs - REQUISITION_NOTICE_MS + 1);
}

/** Whether an appointment waits for a requisition in vain. */
export const isReservationLost = (appointment: Appointment, nowMs: number): boolean =>
  appointment.event_status === "reserved" && nowMs >= reservationEndMs(appointment);

const IN_US = /^(us|usa|united states( of america)?)$/i;

/** Where an order's patient lives, as an appointment has it, with how to get in; undefined outside the United States. */
export function homeOf(order: Order): UsAddress | undefined {
  const home = order.patient_address;
  if (home === null || !IN_US.test(home.country)) return undefined;
  const { first_line, second_line, city, state, zip, access_notes } = home;
  return usAddress.safeParse({ first_line, second_line, city, state, zip_code: zip, access_notes }).data;
}

const hasBegun = ({ start_at }: Appointment, at: string) => start_at !== null && Date.parse(start_at) <= Date.parse(at);

function timesOf(slot: Slot | null): Pick<Appointment, "start_at" | "end_at"> {
  if (slot === null) return { start_at: null, end_at: null };
  return { start_at: new Date(slot.startMs).toISOString(), end_at: new Date(slot.endMs).toISOString() };
}

/** What follows from the last event of an appointment. */
function standing(status: AppointmentStatus, data: EventData, events: Appointment["events"]) {
  return {
    status: statusOf(status),
    event_status: status,
    event_data: data,
    events,
    can_reschedule: status === "scheduled",
  };
}

function wholeAddress(address: UsAddress): Appointment["address"] {
  return {
    ...address,
    second_line: address.second_line ?? null,
    unit: address.unit ?? null,
    access_notes: address.access_notes ?? null,
  };
}
