import * as z from "zod";
import { type Order, wayOf } from "../orders/order-move.ts";
import { wireAppointment } from "../orders/wire-appointment.ts";
import { type Appointment, meeting } from "./appointment.ts";

/** Served zip code, or the code of a patient service center. */
const place = z.string();

/** Venue at which appointments can be booked. */
export const meetingPlace = meeting.extend({ place });
export type MeetingPlace = z.output<typeof meetingPlace>;

/** Stored appointment with its internal fields. */
export const appointmentRecord = z.object({ appointment: wireAppointment, place });
export type AppointmentRecord = z.output<typeof appointmentRecord>;

/** Slot at a place that an appointment holds exclusively. */
export interface HeldSlot {
  readonly provider: string;
  readonly place: string;
  /** ISO 8601. */
  readonly start_at: string;
  readonly appointment_id: string;
}

/** Statuses in which an appointment holds its slot. */
const HOLDING: readonly string[] = ["pending", "reserved", "scheduled", "in_progress"];

/** Whether an appointment is open: neither completed nor cancelled. */
export const isOpen = ({ event_status }: Appointment): boolean => HOLDING.includes(event_status);

/** Slot that an open appointment holds; undefined without a time. */
export function slotOf({ appointment, place }: AppointmentRecord): HeldSlot | undefined {
  const { start_at, provider, id } = appointment;
  return start_at !== null && isOpen(appointment) ? { provider, place, start_at, appointment_id: id } : undefined;
}

/**
 * Derives the number of an appointment at its provider from its id, so that a repeated call carries the same number.
 */
export const appointmentNumber = (appointmentId: string): string =>
  appointmentId.replaceAll("-", "").slice(0, 16).toUpperCase();

/** Id of the current or last appointment of an order. */
export function appointmentIdOf({ details }: Order): string | null {
  const isMet = details.type === "walk_in_test" || details.type === "at_home_phlebotomy";
  return isMet ? (details.data?.appointment_id ?? null) : null;
}

/**
 * Low-level statuses in which an order can get an appointment; before its requisition exists, a time is only reserved.
 */
const BEFORE_REQUISITION = "ordered";
const MEETABLE = ["requisition_created", "requisition_bypassed", "appointment_pending", "appointment_cancelled"];

/** Initial status of an appointment for an order in this low-level status; undefined if the order allows no booking. */
export function bookableAs(level: string): "scheduled" | "reserved" | undefined {
  if (level === BEFORE_REQUISITION) return "reserved";
  return MEETABLE.includes(level) ? "scheduled" : undefined;
}

/** Appointment type of an order; undefined for a workflow without appointments. */
export function meetingTypeOf(order: Order): "phlebotomy" | "patient_service_center" | undefined {
  const way = wayOf(order);
  if (way === "at_home_phlebotomy") return "phlebotomy";
  return way === "walk_in_test" ? "patient_service_center" : undefined;
}
