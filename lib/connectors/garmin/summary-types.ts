import * as z from "zod";
import type { PulledBatch } from "../connector.ts";
import { groupByRecorder, type PulledRecorder } from "../group-by-recorder.ts";
import { type DroppedFieldListener, readRecord } from "../tolerant-reader.ts";
import { toBloodPressure, toBodies, toDay, toMovement, toSamples, toSkinTemperature, toVo2Max } from "./map-days.ts";
import { toNight } from "./map-sleep.ts";
import { toWorkout, toWorkoutStream } from "./map-workouts.ts";
import * as replies from "./replies.ts";

type Records = PulledBatch["resources"];

/** The mapping of a Garmin summary type. */
interface SummaryType {
  readonly sourceType: string;
  /** Maps summaries to records; skips and reports summaries and fields that violate the schema. */
  readonly toRecords: (summaries: readonly unknown[], onDropped?: DroppedFieldListener) => readonly Records[];
}

/** A summary type whose mapping needs all summaries of a push at once. */
const groupedSummaryType = <S extends z.ZodType>(
  schema: S,
  map: (summaries: readonly z.output<S>[]) => readonly Records[],
  sourceType = "watch",
): SummaryType => ({
  sourceType,
  toRecords: (summaries, onDropped) =>
    map(
      summaries.map((summary) => readRecord(summary, schema, "summary", onDropped)).filter((one) => one !== undefined),
    ),
});

const summaryType = <S extends z.ZodType>(schema: S, map: (summary: z.output<S>) => Records, sourceType?: string) =>
  groupedSummaryType(schema, (summaries) => summaries.map(map), sourceType);

const activities = summaryType(replies.activity, (one) => ({ workouts: [toWorkout(one)] }));

/** Summary types by the names that pushes and backfill requests use. */
export const summaryTypes: Readonly<Record<string, SummaryType>> = {
  dailies: summaryType(replies.daily, toDay),
  epochs: groupedSummaryType(replies.epoch, (all) => [toMovement(all)]),
  sleeps: summaryType(replies.sleep, toNight),
  bodyComps: groupedSummaryType(replies.bodyComp, (all) => [toBodies(all)], "scale"),
  bloodPressures: summaryType(replies.bloodPressure, toBloodPressure, "cuff"),
  userMetrics: summaryType(replies.userMetrics, toVo2Max),
  // Zero is a valid stress level; negative values mean no reading.
  stressDetails: summaryType(replies.stress, (one) => ({
    stress_level: toSamples(one, one.timeOffsetStressLevelValues, 0),
  })),
  allDayRespiration: summaryType(replies.respiration, (one) => ({
    respiratory_rate: toSamples(one, one.timeOffsetEpochToBreaths),
  })),
  pulseox: summaryType(replies.pulseOx, (one) => ({ blood_oxygen: toSamples(one, one.timeOffsetSpo2Values) })),
  hrv: summaryType(replies.hrv, (one) => ({ hrv: toSamples(one, one.hrvValues) })),
  skinTemp: summaryType(replies.skinTemperature, toSkinTemperature),
  activities,
  // Activities that the user entered or changed by hand.
  manuallyUpdatedActivities: activities,
  activityDetails: summaryType(replies.activityDetails, (one) => ({
    workouts: one.summary ? [toWorkout(one.summary, one.summaryId)] : [],
    workout_stream: toWorkoutStream(one),
  })),
};

/** Maps summaries of one type to a batch per device. */
export function toBatches(
  { sourceType, toRecords }: SummaryType,
  summaries: readonly unknown[],
  onDropped?: DroppedFieldListener,
): PulledBatch[] {
  return groupByRecorder(summaries, deviceOf).map(({ recorder, records: own }) => {
    const resources: Record<string, Readonly<Record<string, unknown>>[]> = {};
    for (const [name, records] of toRecords(own, onDropped).flatMap((one) => Object.entries(one))) {
      resources[name] = [...(resources[name] ?? []), ...records];
    }
    return { source_type: sourceType, ...recorder, resources };
  });
}

/** Only activities name their device, by its model. */
function deviceOf(summary: unknown): PulledRecorder {
  const { deviceName, summary: activity } = deviceNames.safeParse(summary).data ?? {};
  return { device_id: deviceName ?? activity?.deviceName };
}

const named = z.object({ deviceName: z.string().nullish() });
const deviceNames = named.extend({ summary: named.nullish() });
