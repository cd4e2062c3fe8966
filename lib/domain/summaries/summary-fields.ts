import * as z from "zod";

/**
 * Field schemas for ingest and responses: an omitted field is null, and responses always have the key. The limits are
 * generous plausibility bounds.
 */

/** A measured number, with fractions. */
export const quantity = (description: string, min: number, max: number) =>
  z.number().min(min).max(max).nullable().default(null).describe(description);

/** A whole number. */
export const whole = (description: string, min: number, max: number) =>
  z.int().min(min).max(max).nullable().default(null).describe(description);

/** A short text. */
export const shortText = (description: string) => z.string().max(1_000).nullable().default(null).describe(description);

/** A date-time with offset or Z; stored and returned in UTC. */
export const instantField = (description: string) => z.iso.datetime({ offset: true }).describe(description);

/** A day, YYYY-MM-DD. */
export const dateField = (description: string) => z.iso.date().describe(description);

/** True for a wheelchair user, otherwise null. */
export const wheelchairUse = z.literal(true).nullable().default(null).describe("True or null").meta({ phi: true });

/** Local offset from UTC. */
export const timezoneOffset = whole("Offset from UTC, seconds", -86_399, 86_399);

/** The deprecated form of `calendar_date` in responses. */
export const midnightOfDate = z.iso
  .datetime({ offset: true })
  .meta({ deprecated: true, description: "Midnight UTC of calendar_date" });

/** The schema of a field with known values. */
export type ChoiceSchema = (known: readonly string[]) => z.ZodType<string, string>;

/**
 * A field with known values in requests: an unknown one is dropped and named. Reads use `openEnum`, so that a value that
 * is added later breaks no reader.
 */
export const knownChoice: ChoiceSchema = (known) => z.enum(known);
