import * as z from "zod";

/** Response schemas of iHealth's OpenAPI V2, limited to the fields that the connector reads. */

/** Some numbers are texts. */
const number = z
  .union([z.number(), z.string().regex(/^-?\d+(?:\.\d+)?$/)])
  .nullish()
  .transform((value) => (value == null ? null : Number(value)));

const required = number.refine((value) => value !== null);
/** `+0200`, `0530`, a number of hours, or an empty text. */
const zone = z.union([z.string(), z.number()]).nullish();

const record = z.object({ DataID: z.string(), TimeZone: zone });
/** A measurement. Its time is local, as if it were UTC. */
const measurement = record.extend({ MDate: required });
export type Zone = z.output<typeof zone>;

/** The address of the next page; an empty text after the last one. */
const page = { NextPageUrl: z.union([z.literal(""), z.url()]).nullish() };
const unit = (...known: readonly number[]) => z.number().refine((value) => known.includes(value));

export const bloodPressure = z.object({
  ...page,
  /** 0: mmHg, 1: kPa. */
  BPUnit: unit(0, 1),
  BPDataList: z.array(measurement.extend({ HP: required, LP: required, HR: number })),
});

export const glucose = z.object({
  ...page,
  /** 0: mg/dL, 1: mmol/L. */
  BGUnit: unit(0, 1),
  BGDataList: z.array(measurement.extend({ BG: required })),
});

export const weight = z.object({
  ...page,
  /** 0: kg, 1: pounds, 2: stones. */
  WeightUnit: unit(0, 1, 2),
  WeightDataList: z.array(measurement.extend({ WeightValue: required, FatValue: number })),
});

export const oxygen = z.object({ ...page, BODataList: z.array(measurement.extend({ BO: number, HR: number })) });

export const activity = z.object({
  ...page,
  /** 0: km, 1: miles. */
  DistanceUnit: unit(0, 1),
  ARDataList: z.array(measurement.extend({ Steps: number, Calories: number, DistanceTraveled: number })),
});

/** Nights. `HoursSlept` counts minutes. */
export const sleep = z.object({
  ...page,
  SRDataList: z.array(
    record.extend({ StartTime: required, EndTime: required, HoursSlept: number, SleepEfficiency: number }),
  ),
});

/** A token response. */
export const tokens = z.object({
  AccessToken: z.string(),
  RefreshToken: z.string(),
  Expires: number,
  UserID: z.string(),
  APIName: z.string().nullish(),
});
/** An error of the token endpoint. */
export const refusal = z.object({ ErrorCode: z.union([z.string(), z.number()]) });
export const tokenOwner = z.object({ user_id: z.string() });
