import type { ResourceName } from "../timeseries/resources.ts";
import { getResource } from "../timeseries/resources.ts";
import type { Category, Measure, ObservationMeasure } from "./measure.ts";

/** How samples of one resource, or of one type of it, become Observations. */
export interface SampleRow extends ObservationMeasure {
  readonly resource: ResourceName;
  /** The type of the samples, where a resource has several with their own codes. */
  readonly subtype?: string;
  /** Measures in components instead of a value, by field of the sample. */
  readonly parts?: Readonly<Record<string, Measure>>;
  /** Names of the values, where numbers stand for stages. */
  readonly stages?: Readonly<Record<number, string>>;
}

type Options = Partial<Pick<SampleRow, "subtype" | "parts" | "stages">>;

const row = (
  resource: ResourceName,
  category: Category,
  text: string,
  ucum: string | null,
  loinc: readonly string[] = [],
  options: Options = {},
): SampleRow => ({
  resource,
  code: options.subtype === undefined ? resource : `${resource}.${options.subtype}`,
  category,
  text,
  loinc,
  ...(options.parts ? {} : { unit: getResource(resource).unit }),
  ...(ucum === null ? {} : { ucum }),
  ...options,
});

const pressure = (field: string, text: string, loinc: string): Measure => ({
  code: `blood_pressure.${field}`,
  text,
  loinc: [loinc],
  unit: "mmHg",
  ucum: "mm[Hg]",
});

/** Stages of sleep, as in the hypnogram and in sleep cycles. */
export const sleepStages: Readonly<Record<number, string>> = {
  [-1]: "unknown",
  1: "deep",
  2: "light",
  3: "rem",
  4: "awake",
  5: "manual",
};

const count = "{count}";

/**
 * Every timeseries resource as Observations. LOINC codes are from HL7's vital signs profiles, HL7's Physical Activity
 * implementation guide, and mappings of HealthKit to FHIR; a resource whose exact meaning none of them names has no LOINC
 * code. Units are those of the ordinary API, so values are the same.
 */
export const sampleRows: readonly SampleRow[] = [
  row("steps", "activity", "Steps", count, ["55423-8"]),
  row("wheelchair_push", "activity", "Wheelchair pushes", count),
  row("workout_swimming_stroke", "activity", "Swimming strokes", count),
  row("fall", "exam", "Falls", count),
  row("handwashing", "activity", "Hand washing", count),
  row("inhaler_usage", "therapy", "Inhaler uses", count),
  row("sleep_apnea_alert", "exam", "Sleep apnea alert", count),
  row("heart_rate_recovery_one_minute", "vital-signs", "Heart rate recovery after one minute", "/min"),
  row("floors_climbed", "activity", "Floors climbed", count, ["100304-5"]),
  row("distance", "activity", "Distance", "m"),
  row("workout_distance", "activity", "Distance of a workout", "m"),
  row("calories_active", "activity", "Active energy", "kcal"),
  row("calories_basal", "activity", "Basal energy", "kcal"),
  row("stand_duration", "activity", "Standing time", "min"),
  row("daylight_exposure", "activity", "Time in daylight", "min"),
  row("workout_duration", "activity", "Exercise time", "min", ["55411-3"]),
  row("mindfulness_minutes", "activity", "Mindfulness", "min"),
  row("stand_hour", "activity", "Hour with or without standing", count),
  row("heart_rate_alert", "exam", "Heart rate alert", count),
  row("sleep_breathing_disturbance", "exam", "Breathing disturbances in sleep", count),
  row("afib_burden", "exam", "Atrial fibrillation burden", "%"),
  row("body_mass_index", "vital-signs", "Body mass index", "kg/m2", ["39156-5"]),
  row("uv_exposure", "activity", "Ultraviolet exposure", "{index}"),
  row("lean_body_mass", "vital-signs", "Lean body mass", "kg", ["91557-9"]),
  row("waist_circumference", "vital-signs", "Waist circumference", "cm"),
  row("body_temperature", "vital-signs", "Body temperature", "Cel", ["8310-5"]),
  row("body_temperature_delta", "vital-signs", "Deviation of the body temperature", "Cel"),
  row("basal_body_temperature", "vital-signs", "Basal body temperature", "Cel"),
  row("forced_expiratory_volume_1", "exam", "Forced expiratory volume in one second", "L", ["20150-9"]),
  row("forced_vital_capacity", "exam", "Forced vital capacity", "L", ["19868-9"]),
  row("peak_expiratory_flow_rate", "exam", "Peak expiratory flow rate", "L/min", ["33452-4"]),
  row("insulin_injection", "therapy", "Insulin injection", "[iU]"),
  row("carbohydrates", "survey", "Carbohydrates eaten", "g"),
  row("caffeine", "survey", "Caffeine taken", "g"),
  row("water", "survey", "Water drunk", "mL"),
  row("note", "survey", "Note", null),
  row("vo2_max", "activity", "Maximum oxygen uptake", "mL/kg/min", ["94122-9"]),
  row("heartrate", "vital-signs", "Heart rate", "/min", ["8867-4"]),
  row("hrv", "vital-signs", "Heart rate variability (RMSSD)", "ms"),
  row("respiratory_rate", "vital-signs", "Respiratory rate", "/min", ["9279-1"]),
  row("blood_oxygen", "vital-signs", "Oxygen saturation", "%", ["2708-6", "59408-5"]),
  row("stress_level", "exam", "Stress level", "%"),
  row("glucose", "laboratory", "Glucose", "mmol/L", ["15074-8"]),
  row("body_weight", "vital-signs", "Body weight", "kg", ["29463-7"]),
  row("body_fat", "vital-signs", "Body fat", "%", ["41982-0"]),
  row("cholesterol", "laboratory", "LDL cholesterol", "mmol/L", ["22748-8"], { subtype: "ldl" }),
  row("cholesterol", "laboratory", "HDL cholesterol", "mmol/L", ["14646-4"], { subtype: "hdl" }),
  row("cholesterol", "laboratory", "Total cholesterol", "mmol/L", ["14647-2"], { subtype: "total" }),
  row("cholesterol", "laboratory", "Triglycerides", "mmol/L", ["14927-8"], { subtype: "triglycerides" }),
  row("ige", "laboratory", "Immunoglobulin E against an allergen", null),
  row("igg", "laboratory", "Immunoglobulin G against an allergen", null),
  row("electrocardiogram_voltage", "exam", "Voltage of an electrocardiogram lead", "mV"),
  row("blood_pressure", "vital-signs", "Blood pressure", null, ["85354-9"], {
    parts: {
      systolic: pressure("systolic", "Systolic blood pressure", "8480-6"),
      diastolic: pressure("diastolic", "Diastolic blood pressure", "8462-4"),
    },
  }),
  row("hypnogram", "activity", "Sleep stage", null, [], { stages: sleepStages }),
];

/** The row of a sample. A cholesterol sample of a type that is unknown here has none. */
export const findSampleRow = (resource: ResourceName, type: string | null): SampleRow | undefined =>
  sampleRows.find((one) => one.resource === resource && (one.subtype === undefined || one.subtype === type));
