import { localDate } from "../../domain/summaries/session.ts";
import type { PulledBatch, TimeWindow } from "../connector.ts";
import { formatUtc } from "../format-utc.ts";
import { groupByRecorder } from "../group-by-recorder.ts";
import { isDayWithin } from "../window-dates.ts";
import { zoneOffset } from "../zone-offset.ts";
import type { DeviceIds, MeasureGroup } from "./replies.ts";

/** Withings' codes of measure types. */
const MEASURE_TYPES = {
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
type MeasureType = keyof typeof MEASURE_TYPES;

/** The requested measure types, as the request parameter lists them. */
export const measureTypes = Object.values(MEASURE_TYPES).join(",");

/** Returns false for goals and for measures that a shared scale could not attribute to a user. */
const isOwnMeasure = ({ attrib, category }: MeasureGroup): boolean =>
  (category == null || category === 1) && attrib !== 1;

/** The source type of a group, by the measures that it contains. */
const measuresByDevice: readonly (readonly [string, readonly MeasureType[]])[] = [
  ["scale", ["weight", "fatPercent", "leanMass", "muscleMass", "waterMass", "boneMass", "visceralFat"]],
  ["cuff", ["systolic", "diastolic"]],
  ["watch", ["oxygen", "vo2Max"]],
];

/** The decoded measures of one group. */
interface MeasureReading {
  readonly atMs: number;
  readonly offsetS: number | null;
  readonly value: (type: MeasureType) => number | null;
}

/**
 * Maps measure groups to one batch per device and source type: the samples of a window, and the days that overlap it.
 * @param groups all of these days. @param timeZone of the user.
 */
export function toMeasures(
  groups: readonly MeasureGroup[],
  timeZone: string | undefined,
  window: TimeWindow,
): PulledBatch[] {
  const ordered = groups.filter(isOwnMeasure).toSorted((one, other) => one.date - other.date);
  return groupByRecorder(ordered, deviceOf).flatMap(({ recorder, records }) => {
    const byType = Map.groupBy(
      records.map((group) => toReading(group, timeZone)),
      ({ value }) => measuresByDevice.find(([, types]) => types.some((type) => value(type) !== null))?.[0] ?? "unknown",
    );
    return [...byType].map(([source_type, all]) => ({ source_type, ...recorder, resources: toRecords(all, window) }));
  });
}

/** The device of a record. Records that a user enters have none. */
export const deviceOf = ({ hash_deviceid, deviceid }: DeviceIds) => ({ device_id: hash_deviceid ?? deviceid });

function toReading({ date, measures }: MeasureGroup, timeZone: string | undefined): MeasureReading {
  // Parsing `value`e`unit` is exact; a floating-point product is not.
  const values = new Map(measures.map(({ type, value, unit }) => [type, Number(`${value}e${unit}`)]));
  const atMs = date * 1000;
  return { atMs, offsetS: zoneOffset(timeZone, atMs), value: (type) => values.get(MEASURE_TYPES[type]) ?? null };
}

function toRecords(all: readonly MeasureReading[], window: TimeWindow): PulledBatch["resources"] {
  const height = all.map(({ value }) => value("height")).findLast((value) => value !== null);
  // Withings states times in seconds.
  const isWithin = ({ atMs }: MeasureReading) => atMs > window.startMs - 1000 && atMs <= window.endMs;
  const measured = all.filter(isWithin);
  const samples = (type: MeasureType) => toSamples(measured, type);
  return {
    body: toBodySummaries(all.filter(({ atMs, offsetS }) => isDayWithin(atMs, offsetS, window))),
    body_weight: samples("weight"),
    body_fat: samples("fatPercent"),
    lean_body_mass: samples("leanMass"),
    blood_pressure: measured.flatMap((one) => {
      const [systolic, diastolic] = [one.value("systolic"), one.value("diastolic")];
      return systolic === null || diastolic === null ? [] : [{ ...toTimes(one), systolic, diastolic }];
    }),
    heartrate: samples("pulse"),
    blood_oxygen: samples("oxygen"),
    body_temperature: [...samples("bodyTemperature"), ...samples("temperature")],
    vo2_max: samples("vo2Max"),
    profile: height === undefined ? [] : [{ height: Math.round(height! * 100) }],
  };
}

const toTimes = ({ atMs, offsetS }: MeasureReading) => ({ timestamp: formatUtc(atMs), timezone_offset: offsetS });

function toSamples(all: readonly MeasureReading[], type: MeasureType) {
  return all.flatMap((one) => {
    const value = one.value(type);
    return value === null ? [] : [{ ...toTimes(one), value }];
  });
}

/** Summarizes the measures of a scale by date: the latest of each type. Converts masses to percentages. */
function toBodySummaries(all: readonly MeasureReading[]) {
  const days = Map.groupBy(all, ({ atMs, offsetS }) => localDate(atMs, offsetS));
  return [...days].flatMap(([calendar_date, measured]) => {
    const latest = (type: MeasureType) =>
      measured.map(({ value }) => value(type)).findLast((value) => value !== null) ?? null;
    const weight = latest("weight");
    if (weight === null) return [];
    const percent = (type: MeasureType) => {
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
