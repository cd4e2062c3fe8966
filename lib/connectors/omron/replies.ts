import * as z from "zod";

/** Response schemas of the Omron Wellness API, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

const reading = z.object({
  id: z.number().nullish(),
  dateTime: text,
  dateTimeLocal: text,
  dateTimeUtcOffset: text,
  systolic: number,
  diastolic: number,
  pulse: number,
  deviceType: text,
});
export type Reading = z.output<typeof reading>;

export const measurements = z.object({
  result: z.object({ truncated: z.boolean().nullish(), bloodPressure: z.array(reading).nullish() }),
});

/** The status in the body of each response. */
export const outcome = z.object({ status: z.number(), errorCode: z.union([z.string(), z.number()]).nullish() });

export const pushForm = z.object({ id: z.string().min(1), timestamp: z.string() });
