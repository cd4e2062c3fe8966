import type { Beat, MetadataEntry } from "./export-record.ts";
import { type Random, wholeNumber } from "./random.ts";
import type { Timeline } from "./timeline.ts";

type Entries = (random: Random, startMs: number, timeline: Timeline) => MetadataEntry[];

const enteredByHand: Entries = () => [["HKWasUserEntered", "1"]];
const timeZone: Entries = (_random, startMs, timeline) => [["HKTimeZone", timeline.zoneAt(startMs)]];

const BY_TYPE: Record<string, Entries> = {
  HKQuantityTypeIdentifierHeartRate: (random) => [
    ["HKMetadataKeyHeartRateMotionContext", String(wholeNumber(random, 0, 2))],
  ],
  HKQuantityTypeIdentifierOxygenSaturation: (random) => [
    ["HKMetadataKeyBarometricPressure", `${wholeNumber(random, 96, 102)}.${wholeNumber(random, 1, 9)} kPa`],
  ],
  HKQuantityTypeIdentifierVO2Max: () => [["HKVO2MaxTestType", "2"]],
  HKQuantityTypeIdentifierPhysicalEffort: (random) => [
    ["HKPhysicalEffortEstimationType", String(wholeNumber(random, 1, 2))],
  ],
  HKQuantityTypeIdentifierBloodGlucose: (random) => [["HKBloodGlucoseMealTime", String(wholeNumber(random, 1, 2))]],
  HKQuantityTypeIdentifierInsulinDelivery: (random) => [["HKInsulinDeliveryReason", String(wholeNumber(random, 1, 2))]],
  HKQuantityTypeIdentifierHeight: enteredByHand,
  HKQuantityTypeIdentifierWaistCircumference: enteredByHand,
  HKQuantityTypeIdentifierBodyTemperature: enteredByHand,
  HKQuantityTypeIdentifierForcedVitalCapacity: enteredByHand,
  HKQuantityTypeIdentifierDietaryWater: enteredByHand,
  HKQuantityTypeIdentifierDietaryEnergyConsumed: () => [["HKFoodType", "Soup & bread"]],
  HKQuantityTypeIdentifierAppleSleepingWristTemperature: timeZone,
  HKQuantityTypeIdentifierWalkingSpeed: timeZone,
  HKCategoryTypeIdentifierSleepAnalysis: timeZone,
  HKCategoryTypeIdentifierHighHeartRateEvent: () => [["HKHeartRateEventThreshold", "120 count/min"]],
};

/** The metadata of a record of this type at this time; often none. */
export function recordMetadata(type: string, random: Random, startMs: number, timeline: Timeline): MetadataEntry[] {
  return BY_TYPE[type]?.(random, startMs, timeline) ?? [];
}

/** 20 to 50 beats from `startMs`. Newer phones put U+202F before AM and PM, older phones a space. */
export function drawBeats(startMs: number, newer: boolean, random: Random, timeline: Timeline): Beat[] {
  const gap = newer ? "\u202f" : " ";
  let localMs = startMs + timeline.offsetAt(startMs) * 1000;
  return Array.from({ length: wholeNumber(random, 20, 50) }, () => {
    const bpm = wholeNumber(random, 52, 98);
    localMs += Math.round(60_000 / bpm);
    return { bpm, time: clockText(localMs, gap) };
  });
}

function clockText(localMs: number, gap: string): string {
  const time = new Date(localMs);
  const hour = time.getUTCHours();
  const minutes = String(time.getUTCMinutes()).padStart(2, "0");
  const hundredths = Math.floor(time.getUTCMilliseconds() / 10);
  const seconds = (time.getUTCSeconds() + hundredths / 100).toFixed(2).padStart(5, "0");
  return `${hour % 12 || 12}:${minutes}:${seconds}${gap}${hour < 12 ? "AM" : "PM"}`;
}
