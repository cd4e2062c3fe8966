import { type Element, metadata } from "./element.ts";
import { spanOf } from "./export-date.ts";
import { sample } from "./map-record.ts";
import { BAD_DATE, BAD_VALUE, type Outcome } from "./outcome.ts";

/** The stage of a sleep record; `asleep` if the source reports no stages. */
export type SleepStage = "in_bed" | "awake" | "light" | "deep" | "rem" | "asleep";

const stages: Readonly<Record<string, SleepStage>> = {
  HKCategoryValueSleepAnalysisInBed: "in_bed",
  HKCategoryValueSleepAnalysisAwake: "awake",
  HKCategoryValueSleepAnalysisAsleep: "asleep",
  HKCategoryValueSleepAnalysisAsleepUnspecified: "asleep",
  HKCategoryValueSleepAnalysisAsleepCore: "light",
  HKCategoryValueSleepAnalysisAsleepDeep: "deep",
  HKCategoryValueSleepAnalysisAsleepREM: "rem",
};

/** Hypnogram codes. Sleep without stages is -1 (missing), or 5 if the user entered it manually. */
const HYPNOGRAM = { deep: 1, light: 2, rem: 3, awake: 4, asleep: -1 } as const;
const ENTERED_BY_HAND = 5;

/** Reads the stage of a `HKCategoryTypeIdentifierSleepAnalysis` record; undefined for an unknown stage. */
export function sleepStage(record: Element): SleepStage | undefined {
  return stages[record.attributes.value ?? ""];
}

/** Maps a sleep record to a hypnogram sample. Time in bed counts in the summary only. */
export function mapSleepStage(record: Element): Outcome {
  const stage = sleepStage(record);
  if (!stage) return BAD_VALUE;
  const span = spanOf(record);
  if (!span) return BAD_DATE;
  if (stage === "in_bed") return { leftOut: "time in bed (part of the sleep summaries)" };
  const isTyped = stage === "asleep" && metadata(record, "HKWasUserEntered") === "1";
  return sample(record, span, "hypnogram", { value: isTyped ? ENTERED_BY_HAND : HYPNOGRAM[stage] });
}
