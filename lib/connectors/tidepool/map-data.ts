import { parseInstant } from "../../domain/shared/instant.ts";
import { formatUtc } from "../format-utc.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { minutesToSeconds } from "../nullable-numbers.ts";
import type { Dose, Glucose, Meal } from "./replies.ts";

type Timed = Pick<Glucose, "time" | "timezoneOffset">;

/** The instant and offset of a datum; without `timezoneOffset`, the offset of a time that is not in UTC. */
function toTime({ time, timezoneOffset }: Timed) {
  const instant = parseInstant(time);
  const timestamp = instant ? formatUtc(instant.ms) : time;
  return { timestamp, timezone_offset: minutesToSeconds(timezoneOffset) ?? (instant?.offsetS || null) };
}

/** Glucose, mmol/L; empty for an unknown unit. The API stores mmol/L, and returns what a phone wrote in mg/dL. */
export function toGlucose(reading: Glucose) {
  const { value, units } = reading;
  const factor = /^mg\/?dl$/i.test(units ?? "") ? MG_DL_PER_MMOL_L : /^mmol\/?l$/i.test(units ?? "") ? 1 : undefined;
  return factor === undefined ? [] : [{ ...toTime(reading), value: value / factor }];
}

/**
 * Delivered insulin, units. The parts of a combined bolus are one record: the store has one per instant.
 * Insulin of a pen is of the type that its formulation states; a pump delivers rapid-acting insulin.
 */
export function toInsulin(given: Dose) {
  const { timestamp, timezone_offset } = toTime(given);
  if (given.type === "insulin") {
    const value = given.dose?.total;
    const type = given.formulation?.simple?.actingType === "long" ? "long_acting" : "rapid_acting";
    return value == null ? [] : [{ timestamp, timezone_offset, value, type }];
  }
  const { normal, extended, duration } = given;
  if (normal == null && extended == null) return [];
  const lastsMs = extended ? (duration ?? 0) : 0;
  const end = lastsMs > 0 ? { start: timestamp, end: formatUtc(Date.parse(timestamp) + lastsMs) } : { timestamp };
  const form = normal && extended ? {} : { delivery_form: extended ? "extended" : "standard" };
  const value = (normal ?? 0) + (extended ?? 0);
  return [{ ...end, timezone_offset, value, type: "rapid_acting", delivery_mode: "bolus", ...form }];
}

const isGrams = (unit: string | null | undefined) => unit == null || unit === "grams";

/** Carbohydrates, grams: of a logged food, or of a bolus calculator. Zero there means a correction without a meal. */
export function toCarbohydrates(eaten: Meal) {
  const { carbohydrate } = eaten.nutrition ?? {};
  const logged = isGrams(carbohydrate?.units) ? carbohydrate?.net : null;
  const value = logged ?? (isGrams(eaten.carbUnits) ? eaten.carbInput : null);
  return value ? [{ ...toTime(eaten), value }] : [];
}
