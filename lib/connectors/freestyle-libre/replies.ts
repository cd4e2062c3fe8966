import * as z from "zod";

/** Who signed in, and by what they are known from then on. */
export const signedIn = z.object({ state: z.literal("success"), user_id: z.string(), session: z.string() });

/** Readings, oldest first. */
export const readings = z.object({ readings: z.array(z.object({ at: z.string(), mg_dl: z.number() })) });

export const sensor = z.object({ serial_number: z.string(), manufacturer: z.string(), model: z.string() });
