import * as z from "zod";
import { queryBoolean, queryZipCode } from "../../contract/parts.ts";
import { radii } from "../places/nearest-sites.ts";
import { calendarDate } from "../user.ts";

/** Most characters of a note on an appointment, or on how to get in. */
const NOTES_MAX = 1_000;
/** Most sites that availability is asked for at once. */
const SITES_MAX = 3;

/** How long the answer to a booking is kept for its idempotency key. */
export const BOOKING_KEPT_MS = 14 * 24 * 60 * 60 * 1000;

const notes = z.string().max(NOTES_MAX).nullish().meta({ phi: true });
const line = z.string().trim().min(1).max(120).meta({ phi: true });
const key = z.string().min(1).max(512);

/** An address in the United States, as appointments have it. */
export const usAddress = z.object({
  first_line: line,
  second_line: z.string().trim().max(120).nullish().meta({ phi: true }),
  city: line,
  state: z.string().trim().min(2).max(60),
  zip_code: z
    .string()
    .regex(/^\d{5}(-\d{4})?$/, "Five digits, or nine with a hyphen")
    .meta({ phi: true }),
  unit: z.string().trim().max(40).nullish().meta({ phi: true }),
  access_notes: notes,
});
export type UsAddress = z.output<typeof usAddress>;

/** A time to book, and how long the answer may wait for whoever gives the appointment. */
export const bookingRequest = z.object({
  booking_key: key,
  appointment_notes: notes,
  async_confirmation: z.boolean().default(false),
  sync_confirmation_timeout_millisecond: z.int().min(1_000).max(10_000).nullish(),
  async_confirmation_timeout_millisecond: z.int().min(60_000).max(172_800_000).nullish(),
});
export type BookingRequest = z.output<typeof bookingRequest>;

/** How long an answer waits for a confirmation, and the confirmation may take after it, where nothing is said. */
const SYNC_WAIT_MS = 2_500;
const ASYNC_WAIT_MS = 900_000;

/** How long a booking waits, milliseconds: with its answer, and then in all; null where it waits with its answer alone. */
export function patienceOf(asked: BookingRequest): { readonly syncMs: number; readonly asyncMs: number } | null {
  if (!asked.async_confirmation) return null;
  return {
    syncMs: asked.sync_confirmation_timeout_millisecond ?? SYNC_WAIT_MS,
    asyncMs: asked.async_confirmation_timeout_millisecond ?? ASYNC_WAIT_MS,
  };
}

/** A time to move an appointment to. */
export const rescheduleRequest = z.object({ booking_key: key, appointment_notes: notes });
export type RescheduleRequest = z.output<typeof rescheduleRequest>;

/** An appointment to be called about, where no times can be booked. */
export const appointmentRequest = z.object({
  address: usAddress,
  provider: z.string().min(1).max(40),
  appointment_notes: notes,
});
export type AppointmentRequest = z.output<typeof appointmentRequest>;

const reasonId = z.guid().toLowerCase();

/** Why an at-home draw is cancelled. */
export const phlebotomyCancellation = z.object({ cancellation_reason_id: reasonId, notes });

/** Why a visit is cancelled. The wire spells this one in camel case. */
export const pscCancellation = z.object({ cancellationReasonId: reasonId, note: notes });

/** Where and from when on times at patient service centers are wanted: at up to three sites, or around a zip code. */
export const pscAvailabilityQuery = z.object({
  lab: z.enum(["quest", "sonora_quest"]),
  start_date: calendarDate.optional(),
  site_codes: z.array(z.string().min(1).max(20)).max(100).optional(),
  zip_code: queryZipCode.optional(),
  radius: z.enum(radii).optional().describe("Miles"),
  allow_stale: queryBoolean.default(false),
});
export type PscAvailabilityQuery = z.output<typeof pscAvailabilityQuery>;

/** Why times can not be looked for, or undefined where they can. */
export function refusedSearch({ site_codes = [], zip_code, radius }: PscAvailabilityQuery): string | undefined {
  if (site_codes.length > SITES_MAX) return `At most ${SITES_MAX} site codes.`;
  if (site_codes.length === 0 && zip_code === undefined) return "Give site codes or a zip code.";
  return zip_code !== undefined && radius === undefined ? "A radius is needed with a zip code." : undefined;
}
