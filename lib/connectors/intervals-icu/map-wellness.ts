import { midnightOf } from "../format-utc.ts";
import type { Wellness } from "./replies.ts";

/**
 * Maps the wellness of dates: kilograms, per cent and centimetres in both models. Means of a day become samples at its
 * midnight. Values of an earlier date are left out, and so are spot measurements, which have no time.
 */
export function toWellness(days: readonly Wellness[]) {
  const samples = (name: "hrv" | "respiration" | "spO2" | "vo2max") =>
    days.flatMap(({ id, [name]: value }) => (value ? [{ ...midnightOf(id), value }] : []));
  return {
    activity: days.flatMap(toActivity),
    body: days.flatMap(toBody),
    hrv: samples("hrv"),
    respiratory_rate: samples("respiration"),
    blood_oxygen: samples("spO2"),
    vo2_max: samples("vo2max"),
  };
}

function toActivity({ id, steps, restingHR, tempRestingHR }: Wellness) {
  const resting = restingHR && !tempRestingHR ? Math.round(restingHR) : null;
  if (steps == null && resting === null) return [];
  const heart_rate = resting === null ? null : { resting_bpm: resting };
  return [{ calendar_date: id, steps: steps ?? null, heart_rate }];
}

function toBody({ id, weight, tempWeight, bodyFat, abdomen }: Wellness) {
  const own = weight && !tempWeight ? weight : null;
  if (!own && !bodyFat && !abdomen) return [];
  return [{ calendar_date: id, weight: own, fat: bodyFat || null, waist_circumference_centimeter: abdomen || null }];
}
