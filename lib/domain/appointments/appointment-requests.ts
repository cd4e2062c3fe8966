import * as z from "zod";
import { calendarDate } from "../user.ts";

/** Most characters of a note on an appointment, or on how to get in. */
const NOTES_MAX = 1_000;
/** Most sites that availability is asked for at once. */
const SITES_MAX = 3;

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

/** A time to move an appointment to. */
export const rescheduleRequest = z.object({ booking_key: key, appointment_notes: notes });

/** An appointment to be called about, where no times can be booked. */
export const appointmentRequest = z.object({
  address: usAddress,
  provider: z.string().min(1).max(40),
  appointment_notes: notes,
});

const reasonId = z.guid().toLowerCase();

/** Why an at-home draw is cancelled. */
export const phlebotomyCancellation = z.object({ cancellation_reason_id: reasonId, notes });

/** Why a visit is cancelled. The wire spells this one in camel case. */
export const pscCancellation = z.object({ cancellationReasonId: reasonId, note: notes });

const radii = ["10", "20", "25", "50", "100"] as const;

/** Where and from when on times at patient service centers are wanted: at up to three sites, or around a zip code. */
export const pscAvailabilityQuery = z
  .object({
    lab: z.enum(["quest", "sonora_quest"]),
    start_date: calendarDate.optional(),
    site_codes: z.array(z.string().min(1).max(20)).max(SITES_MAX, `At most ${SITES_MAX} site codes`).optional(),
    zip_code: z
      .string()
      .regex(/^\d{5}$/, "Five digits")
      .optional(),
    radius: z.enum(radii).optional(),
    allow_stale: z.stringbool().default(false),
  })
  .refine(({ site_codes, zip_code }) => site_codes !== undefined || zip_code !== undefined, {
    path: ["site_codes"],
    message: "Give site codes or a zip code",
  })
  .refine(({ zip_code, radius }) => zip_code === undefined || radius !== undefined, {
    path: ["radius"],
    message: "Needed with a zip code",
  });
