import * as z from "zod";

/**
 * Field schemas that senders and answers share: what a sender leaves out is null, and answers always have the key.
 * The limits are what is physically plausible, generously.
 */

/** A measured number, fractions allowed. */
export const quantity = (description: string, min: number, max: number) =>
  z.number().min(min).max(max).nullable().default(null).describe(description);

/** A whole number. */
export const whole = (description: string, min: number, max: number) =>
  z.int().min(min).max(max).nullable().default(null).describe(description);

/** A short text. */
export const shortText = (description: string) => z.string().max(1_000).nullable().default(null).describe(description);

/** A date-time with offset or Z; stored and answered in UTC. */
export const instant = (description: string) => z.iso.datetime({ offset: true }).describe(description);

/** A day, YYYY-MM-DD. */
export const calendarDate = (description: string) => z.iso.date().describe(description);

/** True where somebody uses a wheelchair, else null. */
export const wheelchairUse = z.literal(true).nullable().default(null).describe("True or null").meta({ phi: true });

/** Offset from UTC where it happened. */
export const timezoneOffset = whole("Offset from UTC, seconds", -86_399, 86_399);

/** The deprecated twin of `calendar_date` in answers. */
export const midnightOfDate = z.iso
  .datetime({ offset: true })
  .meta({ deprecated: true, description: "Midnight UTC of calendar_date" });
