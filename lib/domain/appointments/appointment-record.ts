import * as z from "zod";
import { type Order, wayOf } from "../orders/order-move.ts";
import { wireAppointment } from "../orders/wire-appointment.ts";
import { type Appointment, meeting } from "./appointment.ts";

/** The zip code that is served, or the code of the site. */
const place = z.string();

/** Where appointments can be given. */
export const meetingPlace = meeting.extend({ place });
export type MeetingPlace = z.output<typeof meetingPlace>;

/** An appointment with what the service keeps of it beside what answers show. */
export const appointmentRecord = z.object({ appointment: wireAppointment, place });
export type AppointmentRecord = z.output<typeof appointmentRecord>;

/** A time at a place that nobody else can have. */
export interface HeldSlot {
  readonly provider: string;
  readonly place: string;
  /** ISO 8601. */
  readonly start_at: string;
  readonly appointment_id: string;
}

/** Statuses in which an appointment keeps its time from others. */
const HOLDING: readonly string[] = ["pending", "reserved", "scheduled", "in_progress"];

/** Whether something may still come of an appointment. */
export const isOpen = ({ event_status }: Appointment): boolean => HOLDING.includes(event_status);

/** The time that an appointment keeps from others, if it has one. */
export function slotOf({ appointment, place }: AppointmentRecord): HeldSlot | undefined {
  const { start_at, provider, id } = appointment;
  return start_at !== null && isOpen(appointment) ? { provider, place, start_at, appointment_id: id } : undefined;
}

/** The number under which whoever gives an appointment has it; follows from its id, so that it is told the same twice. */
export const appointmentNumber = (appointmentId: string): string =>
  appointmentId.replaceAll("-", "").slice(0, 16).toUpperCase();

/** The id of the appointment that an order has now, or had last. */
export function appointmentIdOf({ details }: Order): string | null {
  const isMet = details.type === "walk_in_test" || details.type === "at_home_phlebotomy";
  return isMet ? (details.data?.appointment_id ?? null) : null;
}

/** Low-level statuses in which an order may be given an appointment; before its requisition a time is only reserved. */
const BEFORE_REQUISITION = "ordered";
const MEETABLE = ["requisition_created", "requisition_bypassed", "appointment_pending", "appointment_cancelled"];

/** How an order in this low-level status takes a time: booked, reserved while it has no requisition, or not at all. */
export function bookableAs(level: string): "scheduled" | "reserved" | undefined {
  if (level === BEFORE_REQUISITION) return "reserved";
  return MEETABLE.includes(level) ? "scheduled" : undefined;
}

/** The kind of appointment that the sample of an order is taken at, if it is taken at one. */
export function meetingTypeOf(order: Order): "phlebotomy" | "patient_service_center" | undefined {
  const way = wayOf(order);
  if (way === "at_home_phlebotomy") return "phlebotomy";
  return way === "walk_in_test" ? "patient_service_center" : undefined;
}
