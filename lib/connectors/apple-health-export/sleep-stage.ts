import { type Element, metadata } from "./element.ts";
import { spanOf } from "./export-date.ts";
import { sample } from "./map-record.ts";
import { BAD_DATE, BAD_VALUE, type Outcome } from "./outcome.ts";

/** What a sleep record says; `asleep` where the source tells no stages. */
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

/** Numbers of the stages in a hypnogram; sleep without stages is -1 (missing), or 5 where somebody typed it in. */
const HYPNOGRAM = { deep: 1, light: 2, rem: 3, awake: 4, asleep: -1 } as const;
const ENTERED_BY_HAND = 5;

/** The stage of a `HKCategoryTypeIdentifierSleepAnalysis`, or undefined for an unknown one. */
export function sleepStage(record: Element): SleepStage | undefined {
  return stages[record.attributes.value ?? ""];
}

/** Maps a sleep record to a sample of the hypnogram; time in bed is none, it only counts in the summary. */
export function mapSleepStage(record: Element): Outcome {
  const stage = sleepStage(record);
  if (!stage) return BAD_VALUE;
  const span = spanOf(record);
  if (!span) return BAD_DATE;
  if (stage === "in_bed") return { leftOut: "time in bed (part of the sleep summaries)" };
  const isTyped = stage === "asleep" && metadata(record, "HKWasUserEntered") === "1";
  return sample(record, span, "hypnogram", { value: isTyped ? ENTERED_BY_HAND : HYPNOGRAM[stage] });
}
