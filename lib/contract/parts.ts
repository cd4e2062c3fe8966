import * as z from "zod";

/** Schema parts that many endpoints share. */

export const nothing = z.object({});

/** Path of everything that belongs to one user. */
export const userParams = z.object({
  user_id: z.guid().toLowerCase().meta({ description: "The service's id of the user" }),
});

export const success = z.object({ success: z.boolean() }).meta({ id: "Success" });

/** The body of an accepted or empty answer that carries nothing. */
export const empty = z.undefined().meta({ description: "No content" });

/** A document answered as PDF. */
export const pdf = z.string().meta({ description: "A PDF document", mediaType: "application/pdf" });

/** A whole number in a query string, within bounds. */
export const queryInteger = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);

/** An instant of any offset as UTC with milliseconds, in which form instants are stored. */
export const utcInstant = z.iso.datetime({ offset: true }).transform((text) => new Date(text).toISOString());

/** A zip code of the United States in a query: just five digits. */
export const queryZipCode = z.string().regex(/^\d{5}$/, "Five digits");

/** `true` or `false` in a query string. */
export const queryBoolean = z.enum(["true", "false"]).transform((given) => given === "true");

/** Pages of lists that are counted (spec, Limits). */
export const pageQuery = {
  page: queryInteger(1, 1_000_000).default(1),
  size: queryInteger(1, 100).default(50),
};

/** Path of everything that belongs to one lab test. */
export const labTestParams = z.object({
  lab_test_id: z.guid().toLowerCase().meta({ description: "The service's id of the lab test" }),
});
