import type { Appointment } from "./appointment.ts";

/** Appointment as sent to its provider. */
export interface PartnerAppointment {
  /** Includes the notes and the collection address. */
  readonly appointment: Appointment;
  /** Access notes of the patient's address. */
  readonly access_notes: string | null;
}

/**
 * Connection to a provider of appointments: a phlebotomy company, or the patient service centers of a laboratory. Each
 * booking, reschedule and cancellation leads to at least one call with the current appointment. Its `provider_id`
 * identifies the appointment and makes a repeated call idempotent. A transient failure throws and is retried.
 */
export interface AppointmentPartner {
  /** Time until the provider confirms a slot, milliseconds; 0 if it confirms a free slot at once. */
  readonly confirmationDelayMs: number;
  /** Books an appointment, or its new time. */
  book(visit: PartnerAppointment): Promise<"confirmed" | "refused">;
  cancel(visit: PartnerAppointment): Promise<void>;
}

/** Finds the connection to a provider of appointments by its name; undefined when the service has none. */
export type FindAppointmentPartner = (provider: string) => AppointmentPartner | undefined;
