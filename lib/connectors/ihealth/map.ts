import type * as z from "zod";
import type { BodyMeasurement } from "../../domain/summaries/body-days.ts";
import type { PulledBatch } from "../connector.ts";
import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { minutesToSeconds, roundOrNull } from "../nullable-numbers.ts";
import type * as replies from "./replies.ts";

type Records = PulledBatch["resources"];

const MMHG_PER_KPA = 7.50061683;
const KG_PER_POUND = 0.45359237;
/** Factors by the number of the unit. */
const pressureFactors = [1, MMHG_PER_KPA];
const glucoseFactors = [1 / MG_DL_PER_MMOL_L, 1];
const weightFactors = [1, KG_PER_POUND, 14 * KG_PER_POUND];
const distanceFactors = [1_000, 1_609.344];

/** Parses `+0200`, `0530`, `-8` or a number of hours. Null for any other text. */
export function parseZone(zone: replies.Zone): number | null {
  if (typeof zone === "number") return Math.round(zone * 3600);
  const [, sign, hours, minutes] = /^([+-]?)(\d{1,2})(?::?(\d\d))?$/.exec(zone ?? "") ?? [];
  if (hours === undefined) return null;
  return (Number(hours) * 60 + Number(minutes ?? 0)) * 60 * (sign === "-" ? -1 : 1);
}

/** The instant of a local time. Without a time zone, the local time counts as UTC. */
const toInstant = (localS: number | null, zone: replies.Zone) =>
  formatUtc(((localS ?? Number.NaN) - (parseZone(zone) ?? 0)) * 1000);

/** The time of a measurement. */
const at = ({ MDate, TimeZone }: { readonly MDate: number | null; readonly TimeZone?: replies.Zone }) => ({
  timestamp: toInstant(MDate, TimeZone),
  timezone_offset: parseZone(TimeZone),
});

const localDate = (localS: number | null) => formatUtc((localS ?? Number.NaN) * 1000).slice(0, 10);
/** A sample of a value; none for zero, which means not measured. */
const sample = (time: object, value: number | null) => (value ? [{ ...time, value }] : []);

export function toBloodPressure({ BPUnit, BPDataList }: z.output<typeof replies.bloodPressure>): Records {
  const factor = pressureFactors[BPUnit] ?? Number.NaN;
  return {
    blood_pressure: BPDataList.map((one) => ({
      ...at(one),
      systolic: (one.HP ?? 0) * factor,
      diastolic: (one.LP ?? 0) * factor,
    })),
    heartrate: BPDataList.flatMap((one) => sample(at(one), one.HR)),
  };
}

export function toGlucose({ BGUnit, BGDataList }: z.output<typeof replies.glucose>): Records {
  const factor = glucoseFactors[BGUnit] ?? Number.NaN;
  return { glucose: BGDataList.map((one) => ({ ...at(one), value: (one.BG ?? 0) * factor })) };
}

export function toWeight({ WeightUnit, WeightDataList }: z.output<typeof replies.weight>): Records {
  const factor = weightFactors[WeightUnit] ?? Number.NaN;
  const weighed = WeightDataList.filter(({ WeightValue }) => WeightValue);
  const kg = (value: number | null) => (value ?? 0) * factor;
  return {
    body_weight: weighed.map((one) => ({ ...at(one), value: kg(one.WeightValue) })),
    body_fat: WeightDataList.flatMap((one) => sample(at(one), one.FatValue)),
  };
}

/** The weighings of a page, which may have a part of a day. */
export const toBodyMeasurements = ({ WeightUnit, WeightDataList }: z.output<typeof replies.weight>) =>
  WeightDataList.map(({ MDate, WeightValue, FatValue }): BodyMeasurement => {
    const weight = (WeightValue || Number.NaN) * (weightFactors[WeightUnit] ?? Number.NaN);
    const values = { weight: Number.isNaN(weight) ? null : weight, fat: FatValue || null };
    return { calendar_date: localDate(MDate), atMs: (MDate ?? 0) * 1000, values };
  });

export const toOxygen = ({ BODataList }: z.output<typeof replies.oxygen>): Records => ({
  blood_oxygen: BODataList.flatMap((one) => sample(at(one), one.BO)),
  heartrate: BODataList.flatMap((one) => sample(at(one), one.HR)),
});

/** Maps days. Their energy contains that at rest. */
export function toActivity({ DistanceUnit, ARDataList }: z.output<typeof replies.activity>): Records {
  const factor = distanceFactors[DistanceUnit] ?? Number.NaN;
  const activity = ARDataList.map(({ MDate, Steps, Calories, DistanceTraveled }) => ({
    calendar_date: localDate(MDate),
    steps: roundOrNull(Steps),
    calories_total: Calories,
    distance: DistanceTraveled === null ? null : DistanceTraveled * factor,
  }));
  return { activity };
}

export function toSleep({ SRDataList }: z.output<typeof replies.sleep>): Records {
  const sleep = SRDataList.map(({ DataID, StartTime, EndTime, TimeZone, HoursSlept, SleepEfficiency }) => {
    const total = minutesToSeconds(HoursSlept);
    return {
      provider_id: DataID,
      calendar_date: localDate(EndTime),
      bedtime_start: toInstant(StartTime, TimeZone),
      bedtime_stop: toInstant(EndTime, TimeZone),
      timezone_offset: parseZone(TimeZone),
      ...(total === null ? {} : { total }),
      efficiency: SleepEfficiency || null,
    };
  });
  return { sleep };
}
