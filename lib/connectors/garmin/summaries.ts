import type * as z from "zod";
import { dropBadFields } from "../../domain/drop-bad-fields.ts";
import type { PulledBatch } from "../connector.ts";
import { samplesOf, toBloodPressure, toBody, toDay, toMovement, toSkinTemperature, toVo2Max } from "./map-days.ts";
import { toNight } from "./map-sleep.ts";
import { toWorkout, toWorkoutStream } from "./map-workouts.ts";
import * as replies from "./replies.ts";

type Records = PulledBatch["resources"];

/** The mapping of a Garmin summary type. */
interface SummaryType {
  readonly sourceType: string;
  /** Maps summaries to records; skips summaries that violate the schema. */
  readonly toRecords: (summaries: readonly unknown[]) => readonly Records[];
}

/** A summary type whose mapping needs all summaries of a push at once. */
const joined = <S extends z.ZodType>(
  schema: S,
  map: (summaries: readonly z.output<S>[]) => readonly Records[],
  sourceType = "watch",
): SummaryType => ({
  sourceType,
  toRecords: (summaries) =>
    map(
      summaries.flatMap((summary) => {
        const read = dropBadFields(schema, summary, { isEssential: () => false });
        return "data" in read ? [read.data] : [];
      }),
    ),
});

const type = <S extends z.ZodType>(schema: S, map: (summary: z.output<S>) => Records, sourceType?: string) =>
  joined(schema, (summaries) => summaries.map(map), sourceType);

/** Summary types by the names that pushes and backfill requests use. */
export const summaryTypes: Readonly<Record<string, SummaryType>> = {
  dailies: type(replies.daily, toDay),
  epochs: joined(replies.epoch, (all) => [toMovement(all)]),
  sleeps: type(replies.sleep, toNight),
  bodyComps: type(replies.bodyComp, toBody, "scale"),
  bloodPressures: type(replies.bloodPressure, toBloodPressure, "cuff"),
  userMetrics: type(replies.userMetrics, toVo2Max),
  // Zero is a valid stress level; negative values mean no reading.
  stressDetails: type(replies.stress, (one) => ({
    stress_level: samplesOf(one, one.timeOffsetStressLevelValues, 0),
  })),
  allDayRespiration: type(replies.respiration, (one) => ({
    respiratory_rate: samplesOf(one, one.timeOffsetEpochToBreaths),
  })),
  pulseox: type(replies.pulseOx, (one) => ({ blood_oxygen: samplesOf(one, one.timeOffsetSpo2Values) })),
  hrv: type(replies.hrv, (one) => ({ hrv: samplesOf(one, one.hrvValues) })),
  skinTemp: type(replies.skinTemperature, toSkinTemperature),
  activities: type(replies.activity, (one) => ({ workouts: [toWorkout(one)] })),
  activityDetails: type(replies.activityDetails, (one) => ({
    workouts: one.summary ? [toWorkout(one.summary)] : [],
    workout_stream: toWorkoutStream(one),
  })),
};

/** Maps summaries of one type to a batch. */
export function batchOf({ sourceType, toRecords }: SummaryType, summaries: readonly unknown[]): PulledBatch {
  const resources: Record<string, Readonly<Record<string, unknown>>[]> = {};
  for (const [name, records] of toRecords(summaries).flatMap((one) => Object.entries(one))) {
    resources[name] = [...(resources[name] ?? []), ...records];
  }
  return { source_type: sourceType, resources };
}
