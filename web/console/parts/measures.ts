import type { AggregateArgument } from "../api/aggregate.ts";

/** A number of a day that people ask about. */
export interface Measure {
  readonly name: string;
  readonly label: string;
  readonly argument: AggregateArgument;
  readonly func: string;
  readonly unit: string;
  /** The resource of its samples, which the data view plots. */
  readonly resource?: string;
  /** The resource in the types of the events that carry it. */
  readonly eventName: string;
}

const samples = (name: string, label: string, func: string, unit: string): Measure => ({
  ...{ name, label, func, unit },
  argument: { timeseries: name, field: "value" },
  resource: name,
  eventName: name,
});

/** The numbers of a day that can be explained. */
export const measures: readonly [Measure, ...Measure[]] = [
  samples("steps", "Steps", "sum", ""),
  samples("distance", "Distance", "sum", "m"),
  samples("calories_active", "Active energy", "sum", "kcal"),
  samples("heartrate", "Heart rate, mean", "mean", "bpm"),
  samples("hrv", "Heart rate variability, mean", "mean", "ms"),
  samples("glucose", "Glucose, mean", "mean", "mmol/L"),
  samples("blood_oxygen", "Blood oxygen, mean", "mean", "%"),
  {
    name: "sleep",
    label: "Asleep",
    argument: { sleep: "stage_asleep_second" },
    func: "sum",
    unit: "s",
    eventName: "sleep",
  },
  {
    name: "activity_steps",
    label: "Steps of daily summaries",
    argument: { activity: "steps" },
    func: "sum",
    unit: "",
    eventName: "activity",
  },
];

/** A measure by its name; the first one for an unknown name. */
export const findMeasure = (name: string | null | undefined): Measure =>
  measures.find((measure) => measure.name === name) ?? measures[0];
