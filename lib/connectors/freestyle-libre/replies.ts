import * as z from "zod";

/** The user id and session of a sign-in. */
export const signInResponse = z.object({ state: z.literal("success"), user_id: z.string(), session: z.string() });

/** Readings in ascending order of time. */
export const readings = z.object({ readings: z.array(z.object({ at: z.string(), mg_dl: z.number() })) });

export const sensor = z.object({ serial_number: z.string(), manufacturer: z.string(), model: z.string() });
