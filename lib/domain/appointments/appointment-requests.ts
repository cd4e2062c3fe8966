import * as z from "zod";
import { queryBoolean, queryZipCode } from "../../contract/shared-schemas.ts";
import { searchRadii } from "../places/nearest-sites.ts";
import { calendarDate } from "../users/user.ts";
import { appointmentProviders } from "./appointment-providers.ts";

/** Maximum number of characters of appointment notes or access notes. */
const MAX_NOTES_LENGTH = 1_000;
/** Maximum number of sites in one availability query. */
const MAX_SITES_PER_SEARCH = 3;

/** Time to live of an idempotency key of a booking. */
export const BOOKING_IDEMPOTENCY_KEY_TTL_MS = 14 * 24 * 60 * 60 * 1000;

const notes = z.string().max(MAX_NOTES_LENGTH).nullish().meta({ phi: true });
const line = z.string().trim().min(1).max(120).meta({ phi: true });
const key = z.string().min(1).max(512).describe("From an availability response; valid for an hour");

/** Address of an appointment, in the United States. */
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

/** Request to book a slot, with timeouts for the confirmation by the provider. */
export const bookingRequest = z.object({
  booking_key: key,
  appointment_notes: notes,
  async_confirmation: z
    .boolean()
    .default(false)
    .describe("Whether the provider may confirm the booking after the response"),
  sync_confirmation_timeout_millisecond: z
    .int()
    .min(1_000)
    .max(10_000)
    .nullish()
    .describe("Longest confirmation that the response waits for. Default: 2,500"),
  async_confirmation_timeout_millisecond: z
    .int()
    .min(60_000)
    .max(172_800_000)
    .nullish()
    .describe("Time after which the service cancels an unconfirmed booking. Default: 900,000"),
});
export type BookingRequest = z.output<typeof bookingRequest>;

/** Default timeouts: of a confirmation within the response, and of a confirmation after it. */
const DEFAULT_SYNC_TIMEOUT_MS = 2_500;
const DEFAULT_ASYNC_TIMEOUT_MS = 900_000;

/**
 * Confirmation timeouts of a booking, milliseconds: within the response, and in total. Null without async confirmation.
 */
export function confirmationTimeouts(
  asked: BookingRequest,
): { readonly syncMs: number; readonly asyncMs: number } | null {
  if (!asked.async_confirmation) return null;
  return {
    syncMs: asked.sync_confirmation_timeout_millisecond ?? DEFAULT_SYNC_TIMEOUT_MS,
    asyncMs: asked.async_confirmation_timeout_millisecond ?? DEFAULT_ASYNC_TIMEOUT_MS,
  };
}

/** Request to move an appointment to another slot. */
export const rescheduleRequest = z.object({ booking_key: key, appointment_notes: notes });
export type RescheduleRequest = z.output<typeof rescheduleRequest>;

/** Request for an appointment at a provider without bookable slots. */
export const appointmentRequest = z.object({
  address: usAddress,
  provider: z.enum(appointmentProviders).describe("Name of a provider that takes requests, from the area info"),
  appointment_notes: notes,
});
export type AppointmentRequest = z.output<typeof appointmentRequest>;

const reasonId = z.guid().toLowerCase().describe("From the list of cancellation reasons");

/** Request to cancel an at-home draw. */
export const phlebotomyCancellation = z.object({ cancellation_reason_id: reasonId, notes });

/** Request to cancel an appointment at a patient service center. The wire format spells these keys in camel case. */
export const pscCancellation = z.object({ cancellationReasonId: reasonId, note: notes });

/** Availability query for patient service centers: up to three sites, or a radius around a zip code. */
export const pscAvailabilityQuery = z.object({
  lab: z.enum(["quest", "sonora_quest"]),
  start_date: calendarDate.optional().describe("First day, in New York. Default: the first with times"),
  site_codes: z.array(z.string().min(1).max(20)).max(100).optional().describe("At most 3 sites, instead of a zip code"),
  zip_code: queryZipCode.optional(),
  radius: z.enum(searchRadii).optional().describe("Miles"),
  allow_stale: queryBoolean.default(false).describe("Whether times may be up to 15 minutes old"),
});
export type PscAvailabilityQuery = z.output<typeof pscAvailabilityQuery>;

/** Reason why an availability query is invalid; undefined if it is valid. */
export function pscSearchRefusal({ site_codes = [], zip_code, radius }: PscAvailabilityQuery): string | undefined {
  if (site_codes.length > MAX_SITES_PER_SEARCH) return `Give at most ${MAX_SITES_PER_SEARCH} site codes.`;
  if (site_codes.length === 0 && zip_code === undefined) return "Give site codes or a zip code.";
  return zip_code !== undefined && radius === undefined ? "A radius is needed with a zip code." : undefined;
}
