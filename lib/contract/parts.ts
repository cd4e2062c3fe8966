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

/** A whole number in a query string, within bounds. */
export const queryInteger = (minimum: number, maximum: number) => z.coerce.number().int().min(minimum).max(maximum);
