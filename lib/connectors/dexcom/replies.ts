import * as z from "zod";

/** Response schemas of Dexcom API v3, limited to the fields that the connector reads. */

const text = z.string().nullish();

/** `systemTime` is UTC with or without `Z`, or carries the UTC offset of the device. */
const timed = { systemTime: z.string(), displayTime: text };

export const glucoseReading = z.object({ ...timed, value: z.number().nullish(), unit: text, transmitterId: text });
export type GlucoseReading = z.output<typeof glucoseReading>;

export const event = z.object({
  ...timed,
  eventType: z.string(),
  eventSubType: text,
  eventStatus: text,
  value: z.union([z.string(), z.number()]).nullish(),
});
export type Event = z.output<typeof event>;

export const device = z.object({
  transmitterId: text,
  transmitterGeneration: text,
  displayDevice: text,
  displayApp: text,
});
export type Device = z.output<typeof device>;

export const recordList = <S extends z.ZodType>(item: S) => z.object({ records: z.array(item) });

export const dataRange = z.object({ userId: z.string() });
