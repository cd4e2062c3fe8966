import * as z from "zod";

/** Response schemas of the Tidepool API, limited to the fields that the connector reads. */

const number = z.number().nullish();
const text = z.string().nullish();

/** `time` is an instant; `timezoneOffset` is in minutes. */
const datum = { type: z.string(), time: z.string(), timezoneOffset: number, deviceId: text };

export const glucose = z.object({ ...datum, value: z.number(), units: text });
export type Glucose = z.output<typeof glucose>;

export const dose = z.object({
  ...datum,
  subType: text,
  normal: number,
  extended: number,
  duration: number,
  dose: z.object({ total: number }).nullish(),
  formulation: z.object({ simple: z.object({ actingType: text }).nullish() }).nullish(),
});
export type Dose = z.output<typeof dose>;

export const meal = z.object({
  ...datum,
  carbInput: number,
  carbUnits: text,
  nutrition: z.object({ carbohydrate: z.object({ net: number, units: text }).nullish() }).nullish(),
});
export type Meal = z.output<typeof meal>;

export const user = z.object({ userid: z.string() });
