import type { SourceName } from "./record-sources.ts";

/** Format of a value: `value * factor + shift`, rounded. The factor converts from the range's unit. */
type ValueUnit = { unit: string; factor: number; shift: number; decimals: number };

/** One stream of records: one HealthKit type from one source. */
export type RecordSpec = {
  type: string;
  source: SourceName;
  /** Records per day in an export of ordinary density; only the ratios matter. */
  weight: number;
  /** Minimum number of records, so that even the smallest export contains each type in each of its units. */
  minRecords: number;
  /** Range of values in the first unit; undefined for category types. */
  range: [number, number] | undefined;
  /** Units in time order: the phone's settings changed once, from the first to the last. Empty for category types. */
  units: ValueUnit[];
  /** Category values to select from; empty for a category type whose records have no value. */
  choices: string[];
  /** Maximum time from start to end; 0 for a moment. */
  durationS: number;
  /** Hours of the local day in which records start. */
  hours: [number, number];
  /** Streams of one group have the same times: the parts of a blood pressure reading or a meal. */
  group: string;
};

const AWAKE: [number, number] = [7, 23];
const ALWAYS: [number, number] = [0, 24];
const NIGHT: [number, number] = [0, 7];

type Quantity = [name: string, source: SourceName, weight: number, range: [number, number], units: ValueUnit[]];
type Timing = Partial<Pick<RecordSpec, "durationS" | "hours" | "group">>;

function as(unit: string, decimals: number, factor = 1, shift = 0): ValueUnit {
  return { unit, factor, shift, decimals };
}

function quantity([name, source, weight, range, units]: Quantity, timing: Timing = {}): RecordSpec {
  const type = `HKQuantityTypeIdentifier${name}`;
  const base = { durationS: 0, hours: AWAKE, group: `${name} by ${source}` };
  return { type, source, weight, minRecords: units.length, range, units, choices: [], ...base, ...timing };
}

function category(name: string, weight: number, choices: string[], timing: Timing): RecordSpec {
  const type = `HKCategoryTypeIdentifier${name}`;
  const base = { durationS: 0, hours: AWAKE, group: name };
  return { type, source: "watch", weight, minRecords: 1, range: undefined, units: [], choices, ...base, ...timing };
}

const count = [as("count", 0)];
const perMinute = [as("count/min", 0)];
const share = [as("%", 4)];
const kilometres = [as("km", 6), as("mi", 6, 0.621371)];
const calories = [as("Cal", 3), as("kcal", 3)];
const kilograms = [as("kg", 2), as("lb", 2, 2.204623)];
const degrees = [as("degC", 2), as("degF", 2, 1.8, 32)];
const centimetres = [as("cm", 1)];
const glucose = [as("mg/dL", 0), as("mmol<180.1558800000541>/L", 4, 1 / 18.01558800000541)];
const meal = { hours: [8, 20] as [number, number], group: "food" };
const reading = { hours: [8, 21] as [number, number], group: "blood pressure" };

/** Streams of records in file order, without sleep: Apple writes one type after the other. */
export const RECORD_SPECS: RecordSpec[] = [
  quantity(["HeartRate", "watch", 420, [48, 168], perMinute], { hours: ALWAYS }),
  quantity(["OxygenSaturation", "watch", 14, [0.93, 1], [as("%", 2)]], { hours: ALWAYS }),
  quantity(["BodyMassIndex", "scale", 0.6, [21, 26], [as("count", 2)]], { hours: [6, 9] }),
  quantity(["Height", "health", 0.01, [174, 175], centimetres]),
  quantity(["BodyMass", "scale", 0.6, [66, 79], kilograms], { hours: [6, 9] }),
  quantity(["LeanBodyMass", "scale", 0.6, [52, 61], kilograms], { hours: [6, 9] }),
  quantity(["BodyFatPercentage", "scale", 0.6, [0.14, 0.24], share], { hours: [6, 9] }),
  quantity(["WaistCircumference", "health", 0.05, [78, 92], centimetres]),
  quantity(["BodyTemperature", "health", 0.3, [36.1, 38.9], degrees]),
  quantity(["AppleSleepingWristTemperature", "watch", 0.9, [34.2, 36.8], degrees], { hours: [1, 2], durationS: 18000 }),
  quantity(["RespiratoryRate", "watch", 16, [11, 19], [as("count/min", 1)]], { hours: NIGHT, durationS: 60 }),
  quantity(["StepCount", "phone", 60, [8, 900], count], { durationS: 600 }),
  quantity(["StepCount", "watch", 90, [4, 700], count], { durationS: 300 }),
  quantity(["DistanceWalkingRunning", "phone", 60, [0.004, 0.7], kilometres], { durationS: 600 }),
  quantity(["DistanceWalkingRunning", "watch", 90, [0.003, 0.5], kilometres], { durationS: 300 }),
  quantity(["DistanceCycling", "watch", 6, [0.1, 2.2], kilometres], { hours: [16, 20], durationS: 300 }),
  quantity(["DistanceSwimming", "watch", 2, [25, 50], [as("m", 0), as("yd", 2, 1.093613)]], { durationS: 90 }),
  quantity(["SwimmingStrokeCount", "watch", 2, [12, 40], count], { durationS: 90 }),
  quantity(["BasalEnergyBurned", "watch", 260, [0.2, 18], calories], { hours: ALWAYS, durationS: 900 }),
  quantity(["ActiveEnergyBurned", "watch", 620, [0.01, 9], calories], { durationS: 60 }),
  quantity(["FlightsClimbed", "phone", 10, [1, 4], count], { durationS: 60 }),
  quantity(["AppleExerciseTime", "watch", 30, [1, 1], [as("min", 0)]], { durationS: 60 }),
  quantity(["AppleStandTime", "watch", 24, [1, 5], [as("min", 0)]], { durationS: 300 }),
  quantity(["PhysicalEffort", "watch", 90, [1.1, 9.8], [as("kcal/hr·kg", 1)]], { durationS: 120 }),
  quantity(["TimeInDaylight", "watch", 8, [1, 5], [as("min", 0)]], { hours: [8, 19], durationS: 300 }),
  quantity(["RestingHeartRate", "watch", 1, [49, 63], perMinute], { hours: [0, 1], durationS: 70000 }),
  quantity(["WalkingHeartRateAverage", "watch", 1, [84, 112], [as("count/min", 1)]], { durationS: 50000 }),
  quantity(["HeartRateRecoveryOneMinute", "watch", 0.2, [18, 41], [as("count/min", 4)]]),
  quantity(["HeartRateVariabilitySDNN", "watch", 5, [18, 110], [as("ms", 4)]], { hours: ALWAYS, durationS: 60 }),
  quantity(["VO2Max", "watch", 0.3, [34, 49], [as("mL/min·kg", 2)]]),
  quantity(["WalkingSpeed", "phone", 12, [2.6, 5.9], [as("km/hr", 4), as("mi/hr", 4, 0.621371)]], { durationS: 60 }),
  quantity(["WalkingStepLength", "phone", 12, [58, 79], centimetres], { durationS: 60 }),
  quantity(["WalkingDoubleSupportPercentage", "phone", 8, [0.24, 0.33], [as("%", 3)]], { durationS: 60 }),
  quantity(["WalkingAsymmetryPercentage", "phone", 4, [0, 0.11], [as("%", 2)]], { durationS: 60 }),
  quantity(["SixMinuteWalkTestDistance", "watch", 0.14, [480, 500], [as("m", 0)]]),
  quantity(["StairAscentSpeed", "phone", 1, [0.2, 0.6], [as("m/s", 4)]], { durationS: 20 }),
  quantity(["ForcedVitalCapacity", "health", 0.05, [3.4, 5.2], [as("L", 2)]]),
  quantity(["EnvironmentalAudioExposure", "watch", 45, [38, 92], [as("dBASPL", 4)]], { durationS: 1200 }),
  quantity(["HeadphoneAudioExposure", "phone", 12, [52, 88], [as("dBASPL", 4)]], { durationS: 600 }),
  quantity(["BloodGlucose", "meter", 14, [68, 186], glucose], { hours: ALWAYS }),
  quantity(["InsulinDelivery", "meter", 3, [1, 14], [as("IU", 1)]]),
  quantity(["BloodPressureSystolic", "cuff", 1, [104, 148], [as("mmHg", 0)]], reading),
  quantity(["BloodPressureDiastolic", "cuff", 1, [61, 94], [as("mmHg", 0)]], reading),
  quantity(["DietaryEnergyConsumed", "meals", 3, [90, 980], [as("kcal", 1)]], meal),
  quantity(["DietaryProtein", "meals", 3, [2, 58], [as("g", 1)]], meal),
  quantity(["DietaryCarbohydrates", "meals", 3, [5, 110], [as("g", 1)]], meal),
  quantity(["DietaryFatTotal", "meals", 3, [1, 44], [as("g", 1)]], meal),
  quantity(["DietarySodium", "meals", 2, [20, 1400], [as("mg", 0)]]),
  quantity(["DietaryCaffeine", "meals", 2, [30, 180], [as("mg", 0)]], { hours: [7, 16] }),
  quantity(["DietaryWater", "health", 4, [100, 600], [as("mL", 0), as("L", 2, 0.001)]]),
  category(
    "AppleStandHour",
    16,
    ["Stood", "Stood", "Idle"].map((end) => `HKCategoryValueAppleStandHour${end}`),
    {
      durationS: 3600,
    },
  ),
  category("HighHeartRateEvent", 0.05, ["HKCategoryValueNotApplicable"], { durationS: 600 }),
  category("MindfulSession", 0.7, [], { durationS: 600 }),
];

/** The stream of a type. @throws Error without one, which is a bug in this generator. */
export function findRecordSpec(name: string): RecordSpec {
  const spec = RECORD_SPECS.find(({ type }) => type === `HKQuantityTypeIdentifier${name}`);
  if (spec === undefined) throw new Error(`no record spec ${name}`);
  return spec;
}
