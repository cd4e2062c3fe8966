import { localDate } from "../../domain/summaries/session.ts";
import { formatInstant } from "../../domain/timeseries/instant.ts";
import type { PulledBatch } from "../connector.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { MeasureGroup } from "./replies.ts";

/** Withings' codes of measure types. */
const TYPES = {
  weight: 1,
  height: 4,
  leanMass: 5,
  fatPercent: 6,
  diastolic: 9,
  systolic: 10,
  pulse: 11,
  temperature: 12,
  oxygen: 54,
  bodyTemperature: 71,
  muscleMass: 76,
  waterMass: 77,
  boneMass: 88,
  vo2Max: 123,
  visceralFat: 170,
} as const;
type Type = keyof typeof TYPES;

/** The requested measure types, as the request parameter lists them. */
export const measureTypes = Object.values(TYPES).join(",");

/** Returns false for goals and for measures that a shared scale could not attribute to a user. */
export const isUsers = ({ attrib, category }: MeasureGroup): boolean =>
  (category == null || category === 1) && attrib !== 1;

/** The source type of a group, by the measures that it contains. */
const devices: readonly (readonly [string, readonly Type[]])[] = [
  ["scale", ["weight", "fatPercent", "leanMass", "muscleMass", "waterMass", "boneMass", "visceralFat"]],
  ["cuff", ["systolic", "diastolic"]],
  ["watch", ["oxygen", "vo2Max"]],
];

/** The decoded measures of one group. */
interface Measured {
  readonly atMs: number;
  readonly offsetS: number | null;
  readonly value: (type: Type) => number | null;
}

/** Maps measure groups to one batch per source type. @param timeZone of the user. */
export function toMeasures(groups: readonly MeasureGroup[], timeZone: string): PulledBatch[] {
  const ordered = groups.filter(isUsers).toSorted((one, other) => one.date - other.date);
  const byDevice = Map.groupBy(
    ordered.map((group) => readGroup(group, timeZone)),
    ({ value }) => devices.find(([, types]) => types.some((type) => value(type) !== null))?.[0] ?? "unknown",
  );
  return [...byDevice].map(([source_type, all]) => ({ source_type, resources: recordsOf(all) }));
}

function readGroup({ date, measures }: MeasureGroup, timeZone: string): Measured {
  // Parsing `value`e`unit` is exact; a floating-point product is not.
  const values = new Map(measures.map(({ type, value, unit }) => [type, Number(`${value}e${unit}`)]));
  const atMs = date * 1000;
  return { atMs, offsetS: zoneOffset(timeZone, atMs), value: (type) => values.get(TYPES[type]) ?? null };
}

function recordsOf(all: readonly Measured[]): PulledBatch["resources"] {
  const height = all.map(({ value }) => value("height")).findLast((value) => value !== null);
  return {
    body: bodies(all),
    body_weight: samplesOf(all, "weight"),
    body_fat: samplesOf(all, "fatPercent"),
    lean_body_mass: samplesOf(all, "leanMass"),
    blood_pressure: all.flatMap((one) => {
      const [systolic, diastolic] = [one.value("systolic"), one.value("diastolic")];
      return systolic === null || diastolic === null ? [] : [{ ...timeOf(one), systolic, diastolic }];
    }),
    heartrate: samplesOf(all, "pulse"),
    blood_oxygen: samplesOf(all, "oxygen"),
    body_temperature: [...samplesOf(all, "bodyTemperature"), ...samplesOf(all, "temperature")],
    vo2_max: samplesOf(all, "vo2Max"),
    profile: height === undefined ? [] : [{ height: Math.round(height! * 100) }],
  };
}

const timeOf = ({ atMs, offsetS }: Measured) => ({ timestamp: formatInstant(atMs), timezone_offset: offsetS });

function samplesOf(all: readonly Measured[], type: Type) {
  return all.flatMap((one) => {
    const value = one.value(type);
    return value === null ? [] : [{ ...timeOf(one), value }];
  });
}

/** Summarizes the measures of a scale by date: the latest of each type. Converts masses to percentages. */
function bodies(all: readonly Measured[]) {
  const days = Map.groupBy(all, ({ atMs, offsetS }) => localDate(atMs, offsetS));
  return [...days].flatMap(([calendar_date, measured]) => {
    const latest = (type: Type) => measured.map(({ value }) => value(type)).findLast((value) => value !== null) ?? null;
    const weight = latest("weight");
    if (weight === null) return [];
    const percent = (type: Type) => {
      const mass = latest(type);
      return mass === null ? null : (100 * mass) / weight;
    };
    return [
      {
        calendar_date,
        weight,
        fat: latest("fatPercent"),
        lean_body_mass_kilogram: latest("leanMass"),
        muscle_mass_percentage: percent("muscleMass"),
        water_percentage: percent("waterMass"),
        bone_mass_percentage: percent("boneMass"),
        visceral_fat_index: latest("visceralFat"),
      },
    ];
  });
}
