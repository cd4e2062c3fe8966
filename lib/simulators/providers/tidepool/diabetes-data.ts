import { formatWallTime } from "../base/local-time.ts";
import { stableUuid } from "../base/stable-ids.ts";
import { mealOfDay } from "../synthetic-data/synthetic-meal.ts";
import type { SyntheticDay, SyntheticPerson } from "../synthetic-data/synthetic-person.ts";
import { BOLUS_DELAY_MS, toMillimoles } from "./expected-diabetes-data.ts";

const SENSOR = "DexG7-3157";
const PUMP = "InsOmn-240243671";

/** A datum as the provider reports it, and its instant in epoch milliseconds. */
export interface Datum extends Readonly<Record<string, unknown>> {
  readonly atMs: number;
  readonly type: string;
}

/** All data of a person between two instants, and some around them. */
export function listData(person: SyntheticPerson, fromMs: number, untilMs: number): Datum[] {
  return person.days(fromMs, untilMs).flatMap((day) => [...readings(person, day), ...meal(person, day)]);
}

/** Fields of every datum: the time in UTC, and the time that the device showed. */
function toDatum(person: SyntheticPerson, atMs: number, deviceId: string, type: string): Datum {
  const id = stableUuid(`tidepool ${person.account} ${type} ${atMs}`);
  const offsetS = person.zone.offsetS(atMs);
  return {
    atMs,
    type,
    id: id.replaceAll("-", ""),
    guid: id,
    time: new Date(atMs).toISOString(),
    deviceTime: formatWallTime(atMs, offsetS).slice(0, 19),
    timezoneOffset: offsetS / 60,
    timezone: person.zone.timeZone,
    deviceId,
    uploadId: `upid_${stableUuid(`tidepool upload ${deviceId}`).replaceAll("-", "").slice(0, 12)}`,
    clockDriftOffset: 0,
    conversionOffset: 0,
  };
}

const readings = (person: SyntheticPerson, day: SyntheticDay): Datum[] =>
  person.glucose(day).map(({ atMs, value }) => ({
    ...toDatum(person, atMs, SENSOR, "cbg"),
    units: "mmol/L",
    value: toMillimoles(value),
    sampleInterval: 300_000,
  }));

/** A meal in the bolus calculator of the pump on even days, else in a food diary; and its bolus. */
function meal(person: SyntheticPerson, day: SyntheticDay): Datum[] {
  const { atMs, grams, units } = mealOfDay(person, day);
  const bolus: Datum = {
    ...toDatum(person, atMs + BOLUS_DELAY_MS, PUMP, "bolus"),
    subType: "normal",
    normal: units,
  };
  const calculated: Datum = {
    ...toDatum(person, atMs, PUMP, "wizard"),
    carbInput: grams,
    units: "mmol/L",
    recommended: { carb: units, correction: 0, net: units },
    bolus: bolus.id,
  };
  const eaten: Datum = {
    ...toDatum(person, atMs, "diary", "food"),
    meal: "lunch",
    name: "Lunch",
    nutrition: { absorptionDuration: 10_800, carbohydrate: { net: grams, units: "grams" } },
  };
  return [day.day % 2 === 0 ? calculated : eaten, bolus];
}
