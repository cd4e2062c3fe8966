import { BAD_DATE, BAD_VALUE, type MappingOutcome } from "../mapping-outcome.ts";
import { type Element, metadataValue } from "./element.ts";
import { readInterval } from "./export-date.ts";
import { toSampleRecord } from "./map-record.ts";

/** The stage of a sleep record; `asleep` if the source reports no stages. */
export type AppleSleepStage = "in_bed" | "awake" | "light" | "deep" | "rem" | "asleep";

const stagesByValue: Readonly<Record<string, AppleSleepStage>> = {
  HKCategoryValueSleepAnalysisInBed: "in_bed",
  HKCategoryValueSleepAnalysisAwake: "awake",
  HKCategoryValueSleepAnalysisAsleep: "asleep",
  HKCategoryValueSleepAnalysisAsleepUnspecified: "asleep",
  HKCategoryValueSleepAnalysisAsleepCore: "light",
  HKCategoryValueSleepAnalysisAsleepDeep: "deep",
  HKCategoryValueSleepAnalysisAsleepREM: "rem",
};

/** Hypnogram codes. Sleep without stages is -1 (missing), or 5 if the user entered it manually. */
const hypnogramCodes = { deep: 1, light: 2, rem: 3, awake: 4, asleep: -1 } as const;
const USER_ENTERED_CODE = 5;

/** Reads the stage of a `HKCategoryTypeIdentifierSleepAnalysis` record; undefined for an unknown stage. */
export function readSleepStage(record: Element): AppleSleepStage | undefined {
  return stagesByValue[record.attributes.value ?? ""];
}

/** Maps a sleep record to a hypnogram sample. Time in bed counts in the summary only. */
export function mapSleepStage(record: Element): MappingOutcome {
  const stage = readSleepStage(record);
  if (!stage) return BAD_VALUE;
  const span = readInterval(record);
  if (!span) return BAD_DATE;
  if (stage === "in_bed") return { leftOut: "time in bed (part of the sleep summaries)" };
  const isTyped = stage === "asleep" && metadataValue(record, "HKWasUserEntered") === "1";
  return toSampleRecord(record, span, "hypnogram", { value: isTyped ? USER_ENTERED_CODE : hypnogramCodes[stage] });
}
