import type * as z from "zod";
import { dropBadFields } from "../../domain/ingest/drop-bad-fields.ts";
import { formatInstant } from "../../domain/shared/instant.ts";
import { MG_DL_PER_MMOL_L } from "../glucose-unit.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../sleep-stages.ts";
import * as replies from "./replies.ts";

const stageCodes: Readonly<Record<string, SleepStageInterval["code"]>> = {
  deep_sleep: 1,
  light_sleep: 2,
  rem_sleep: 3,
  awake: 4,
};

/** The metrics of a day, by type. */
export type DayMetrics = ReadonlyMap<string, unknown>;

/** Reads a metric and drops invalid fields; undefined if the metric is absent or nothing valid remains. */
function readMetric<S extends z.ZodType>(metrics: DayMetrics, type: string, schema: S): z.output<S> | undefined {
  const told = dropBadFields(schema, metrics.get(type), { isEssential: () => false });
  return "data" in told ? told.data : undefined;
}

/** Converts a metric to samples. @param more additional fields of each sample. */
function toSamples(metrics: DayMetrics, type: string, more: object = {}) {
  return (readMetric(metrics, type, replies.series)?.values ?? []).flatMap(({ value, timestamp }) =>
    value === null ? [] : [{ timestamp: formatInstant(timestamp * 1000), value, ...more }],
  );
}

/** Maps all ring metrics of a day. */
export function toRingRecords(date: string, metrics: DayMetrics) {
  const sleep = readMetric(metrics, "Sleep", replies.sleep);
  const vo2 = readMetric(metrics, "vo2_max", replies.singleValue);
  const steps = toSamples(metrics, "steps").map(({ value }) => value);
  return {
    activity: steps.length === 0 ? [] : [{ calendar_date: date, steps: Math.round(sumValues(steps)) }],
    heartrate: toSamples(metrics, "hr"),
    hrv: toSamples(metrics, "hrv"),
    blood_oxygen: toSamples(metrics, "spo2"),
    body_temperature: toSamples(metrics, "temp", { sensor_location: "finger" }).map(toInterval),
    vo2_max:
      vo2?.value == null || vo2.day_start_timestamp == null
        ? []
        : [{ timestamp: formatInstant(vo2.day_start_timestamp * 1000), value: vo2.value }],
    ...(sleep ? toSleep(date, sleep, metrics) : {}),
  };
}

/** Maps the glucose values of a day. Converts mg/dL to mmol/L. */
export function toGlucose(metrics: DayMetrics) {
  return {
    glucose: toSamples(metrics, "glucose").map(({ value, ...at }) => ({ ...at, value: value / MG_DL_PER_MMOL_L })),
  };
}

/** Maps a night: durations are seconds in both models. Converts Unix seconds to instants. */
function toSleep(date: string, sleep: replies.Sleep, metrics: DayMetrics) {
  const [startMs, endMs] = [sleep.bedtime_start * 1000, sleep.bedtime_end * 1000];
  const stages = toStages(sleep);
  const provider_id = `night ${date}`;
  const seconds = (type: string) =>
    roundOrNull(sleep.sleep_stages.find((stage) => stage.type === type)?.stage_time) ?? 0;
  const quick = (type: string) => roundOrNull(sleep.quick_metrics.find((metric) => metric.type === type)?.value);
  const total = quick("total_sleep");
  const temperatures = toSamples(metrics, "temp").map(({ value }) => value);
  const summary = {
    provider_id,
    calendar_date: date,
    bedtime_start: formatInstant(startMs),
    bedtime_stop: formatInstant(endMs),
    ...(total === null ? {} : { total }),
    duration: quick("time_in_bed") ?? roundOrNull((endMs - startMs) / 1000) ?? 0,
    awake: seconds("awake"),
    light: seconds("light_sleep"),
    rem: seconds("rem_sleep"),
    deep: seconds("deep_sleep"),
    efficiency: quick("sleep_efic"),
    score: roundOrNull(sleep.score?.score),
    recovery_readiness_score: roundOrNull(readMetric(metrics, "recovery_index", replies.singleValue)?.value),
    hr_resting: roundOrNull(readMetric(metrics, "night_rhr", replies.restingHeartRate)?.avg),
    skin_temperature: temperatures.length === 0 ? null : sumValues(temperatures) / temperatures.length,
  };
  const stream = { provider_id, hypnogram: toHypnogram(stages, null), hrv: toSamples(metrics, "hrv") };
  const hasStream = stream.hypnogram.length + stream.hrv.length > 0;
  return {
    sleep: [summary],
    sleep_cycle: toSleepCycle(startMs, endMs, stages),
    sleep_stream: hasStream ? [stream] : [],
  };
}

const sumValues = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);

const toInterval = <T extends { readonly timestamp: string }>({ timestamp, ...sample }: T) => ({
  start: timestamp,
  end: timestamp,
  ...sample,
});

function toStages({ sleep_graph }: replies.Sleep): SleepStageInterval[] {
  const stages = (sleep_graph?.data ?? []).map(({ start, end, type }) => ({
    code: stageCodes[type] ?? (-1 as const),
    startMs: start * 1000,
    endMs: end * 1000,
  }));
  return mergeStages(stages);
}
