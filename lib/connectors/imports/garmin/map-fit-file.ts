import type { PulledBatch } from "../../connector.ts";
import { type FitRecord, toFitStream } from "../../fit-stream.ts";
import { summaryTypes, toBatches } from "../../garmin/summary-types.ts";
import { mergeStages, type SleepStageInterval, toSleepCycle } from "../../sleep-stages.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import type { MappingOutcome } from "../mapping-outcome.ts";
import { DamagedFile } from "../reading/input-error.ts";
import type { ExportedActivities } from "./exported-activities.ts";
import { type FitMessage, secondsOf } from "./fit-message.ts";
import { toActivity } from "./map-fit-session.ts";

/** The messages of a FIT file by name. */
type FitMessages = Readonly<Record<string, readonly FitMessage[]>>;

/**
 * Maps a FIT file: an activity, or what a watch or scale measured between two synchronizations. The names and units of
 * messages are those of the FIT profile. Samples become records as those of a push of Garmin's API do.
 * @throws DamagedFile if its checksum or structure is wrong.
 */
export async function mapFitFile(
  bytes: Buffer<ArrayBuffer>,
  activities: ExportedActivities,
): Promise<MappingOutcome[]> {
  const { default: FitParser, getFitGarminProductDisplayName } = await import("fit-file-parser");
  const parser = new FitParser({ force: false, mode: "list", lengthUnit: "m", speedUnit: "m/s" });
  const parsed: unknown = await parser.parseAsync(bytes).catch((error: unknown) => {
    throw new DamagedFile(`The FIT file is damaged: ${error instanceof Error ? error.message : String(error)}.`);
  });
  const messages: FitMessages = Object(parsed).messages;
  const [about] = messages.file_id ?? [];
  // The numbers of products of other manufacturers have other meanings.
  const isGarmin = about?.manufacturer === "garmin";
  const deviceName = (isGarmin ? getFitGarminProductDisplayName(Number(about.product)) : null) ?? undefined;
  const offset = utcOffset(messages);
  return toOutcomes(
    [
      ...mapSessions(messages, activities, offset, deviceName),
      ...mapSamples(messages, offset),
      ...mapMeasurements(messages, offset),
    ],
    "FIT file without health data",
  );
}

const QUARTER_HOUR_S = 900;

/** The offset from UTC that a file states by two clocks, seconds; null if it has only one. */
function utcOffset({ activity = [], monitoring_info = [] }: FitMessages): number | null {
  const [both] = [...activity, ...monitoring_info].filter(
    ({ local_timestamp, timestamp }) => local_timestamp instanceof Date && timestamp instanceof Date,
  );
  if (!both) return null;
  const difference = secondsOf(both.local_timestamp) - secondsOf(both.timestamp);
  return QUARTER_HOUR_S * Math.round(difference / QUARTER_HOUR_S);
}

function mapSessions(
  { session = [], record = [] }: FitMessages,
  activities: ExportedActivities,
  offset: number | null,
  deviceName: string | undefined,
): PulledBatch[] {
  const type = summaryTypes.activities;
  if (!type) return [];
  return session.flatMap((one) => {
    const start = secondsOf(one.start_time);
    if (Number.isNaN(start)) return [];
    const activity = toActivity(one, activities.takeByStart(start), offset, deviceName);
    const end = start + activity.durationInSeconds;
    const own = record.filter(({ timestamp }) => secondsOf(timestamp) >= start && secondsOf(timestamp) <= end);
    const stream = toFitStream(own as readonly FitRecord[]);
    return toBatches(type, [activity]).map((batch) => {
      const provider_id = String(batch.resources.workouts?.[0]?.provider_id);
      return {
        ...batch,
        resources: { ...batch.resources, workout_stream: stream ? [{ provider_id, ...stream }] : [] },
      };
    });
  });
}

/** Messages of one value, with the summary type and field of Garmin's API that has the same values. */
const series = [
  ["monitoring", "timestamp", "heart_rate", "dailies", "timeOffsetHeartRateSamples"],
  ["stress_level", "stress_level_time", "stress_level_value", "stressDetails", "timeOffsetStressLevelValues"],
  ["respiration_rate", "timestamp", "respiration_rate", "allDayRespiration", "timeOffsetEpochToBreaths"],
  ["spo2_data", "timestamp", "reading_spo2", "pulseox", "timeOffsetSpo2Values"],
  ["hrv_value", "timestamp", "value", "hrv", "hrvValues"],
] as const;

function mapSamples(messages: FitMessages, offset: number | null): PulledBatch[] {
  const samples = series.flatMap(([name, timeField, valueField, type, field]) => {
    const read = (messages[name] ?? []).map((one) => [secondsOf(one[timeField]), Number(one[valueField])] as const);
    const points = read.filter(([time, value]) => Number.isFinite(time) && Number.isFinite(value));
    const begin = points[0]?.[0];
    const mapping = summaryTypes[type];
    if (begin === undefined || !mapping) return [];
    const values = Object.fromEntries(points.map(([time, value]) => [String(time - begin), value]));
    const summary = { userId: "export", startTimeInSeconds: begin, startTimeOffsetInSeconds: offset, [field]: values };
    // The activity of the day comes from the file of days: a FIT file has a part of the day.
    return toBatches(mapping, [summary]).map((batch) => ({
      ...batch,
      resources: { ...batch.resources, activity: [] },
    }));
  });
  return [...samples, ...mapSleepLevels(messages)];
}

const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = { deep: 1, light: 2, rem: 3, awake: 4 };

/** Maps the changes of the sleep stage. The last message ends the last stage. */
function mapSleepLevels({ sleep_level = [] }: FitMessages): PulledBatch[] {
  const levels = sleep_level.map(({ timestamp, sleep_level: level }) => [secondsOf(timestamp) * 1000, level] as const);
  const sorted = levels.filter(([ms]) => !Number.isNaN(ms)).sort(([a], [b]) => a - b);
  const stages = sorted.flatMap(([startMs, level], index): SleepStageInterval[] => {
    const endMs = sorted[index + 1]?.[0];
    return endMs === undefined ? [] : [{ code: stageCodes[String(level)] ?? -1, startMs, endMs }];
  });
  const [startMs = 0, endMs = 0] = [sorted[0]?.[0], sorted.at(-1)?.[0]];
  return [
    { source_type: "watch", resources: { sleep_cycle: toSleepCycle(startMs, endMs, mergeStages(stages), null) } },
  ];
}

/** Maps measurements of a scale, a cuff and of single values. */
function mapMeasurements(messages: FitMessages, offset: number | null): PulledBatch[] {
  const map = (name: string, type: string, convert: (message: FitMessage) => object) => {
    const mapping = summaryTypes[type];
    const summaries = (messages[name] ?? []).map((one) => ({ userId: "export", ...convert(one) }));
    return mapping && summaries.length > 0 ? toBatches(mapping, summaries) : [];
  };
  const at = ({ timestamp }: FitMessage) => ({
    measurementTimeInSeconds: secondsOf(timestamp),
    measurementTimeOffsetInSeconds: offset,
  });
  const grams = (kilograms: unknown) => (typeof kilograms === "number" ? kilograms * 1000 : null);
  const dateOf = (time: unknown) => new Date((secondsOf(time) + (offset ?? 0)) * 1000).toISOString().slice(0, 10);
  return [
    ...map("weight_scale", "bodyComps", (one) => ({
      ...at(one),
      weightInGrams: grams(one.weight),
      bodyFatInPercent: one.percent_fat,
      bodyWaterInPercent: one.percent_hydration,
      bodyMassIndex: one.bmi,
      muscleMassInGrams: grams(one.muscle_mass),
      boneMassInGrams: grams(one.bone_mass),
    })),
    ...map("blood_pressure", "bloodPressures", (one) => ({
      ...at(one),
      systolic: one.systolic_pressure,
      diastolic: one.diastolic_pressure,
    })),
    ...map("max_met_data", "userMetrics", (one) => ({ calendarDate: dateOf(one.update_time), vo2Max: one.vo2_max })),
    ...map("skin_temp_overnight", "skinTemp", (one) => ({
      startTimeInSeconds: secondsOf(one.timestamp),
      startTimeOffsetInSeconds: offset,
      avgDeviationCelsius: one.average_deviation,
    })),
  ];
}
