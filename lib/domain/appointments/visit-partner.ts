import type { Appointment } from "./appointment.ts";

/** An appointment as whoever gives it is told. */
export interface Visit {
  /** With its notes, and the address where the sample is taken. */
  readonly appointment: Appointment;
  /** How to get in where the patient lives (spec, User info). */
  readonly access_notes: string | null;
}

/**
 * Whoever gives appointments: a company of phlebotomists, or the patient service centers of a laboratory. Calls are made
 * at least once for every booking, reschedule and cancellation, with the appointment as it is then; its `provider_id`
 * tells two calls for one appointment from two appointments. A call that fails for a time throws, and is made again.
 */
export interface VisitPartner {
  /** How long it takes to confirm a time, milliseconds; 0 where a time that is free is confirmed at once. */
  readonly confirmsInMs: number;
  /** Takes an appointment, or the new time of one that it has. */
  take(visit: Visit): Promise<"confirmed" | "refused">;
  withdraw(visit: Visit): Promise<void>;
}

/** Finds whoever gives appointments by the name of the provider; undefined where there is no connection to it. */
export type FindVisitPartner = (provider: string) => VisitPartner | undefined;
