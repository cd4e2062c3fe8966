import { type BodyMeasurement, toBodyDays } from "../../../domain/summaries/body-days.ts";
import { localDate } from "../../../domain/summaries/session.ts";
import { formatUtc } from "../../format-utc.ts";
import { groupByRecorder, type PulledRecorder } from "../../group-by-recorder.ts";
import { mergeStages, type SleepStageInterval, toHypnogram, toSleepCycle } from "../../sleep-stages.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord } from "../mapping-outcome.ts";
import { parseSamsungOffset, parseSamsungTime, readMeasured, type SamsungRow } from "./samsung-row.ts";
import { type SampleTable, sleepStages } from "./samsung-tables.ts";

const PART_OF_NIGHT = { leftOut: "part of a night" } as const;
const PART_OF_BINNING = { leftOut: "summary of a binning file" } as const;

/** A row whose values are in a binning file. */
interface BinnedRow {
  readonly rule: SampleTable;
  readonly row: SamsungRow;
}

/** The recorder of a row: the id of the device and the package of the app. */
export const recorderOf = ({ deviceuuid, pkg_name }: SamsungRow) => ({
  device_id: deviceuuid || null,
  app_id: pkg_name || null,
});

/** Joins the files of one export. Uses about 500 bytes per weight and row with a binning file, and 1 KB per night. */
export class SamsungExport {
  readonly #binned = new Map<string, BinnedRow>();
  readonly #weights: (BodyMeasurement & { readonly recorder: PulledRecorder })[] = [];
  readonly #sleeps: SamsungRow[] = [];
  readonly #stages = new Map<string, SleepStageInterval[]>();

  /** Maps a row of a table of single values. Keeps a row with a binning file until that file is read. */
  mapSample(rule: SampleTable, row: SamsungRow): MappingOutcome[] {
    const file = row.binning_data || row.binning;
    if (!file) return toSample(rule, row, row.start_time, row.end_time, readMeasured(row, rule.column));
    this.#binned.set(nameOf(file), { rule, row });
    return [PART_OF_BINNING];
  }

  /** Returns the row of a binning file, which has the local offset and the recorder. */
  takeBinned(path: string): SamsungRow | undefined {
    const name = nameOf(path);
    const row = this.#binned.get(name)?.row;
    this.#binned.delete(name);
    return row;
  }

  /** Maps a bin, whose times are epoch milliseconds. */
  mapBin(rule: SampleTable, bin: unknown, row: SamsungRow | undefined): MappingOutcome[] {
    const { start_time, end_time, [rule.binned ?? rule.column]: value } = Object(bin);
    const measured = typeof value === "number" && value !== -1 ? value : undefined;
    return toSample(rule, row ?? {}, String(start_time), String(end_time), measured);
  }

  /** Maps a weight: kg and percent. The `body` of its day needs all weights of the day. */
  addWeight(row: SamsungRow): MappingOutcome[] {
    const time = parseSamsungTime(row.start_time);
    if (!time) return [BAD_DATE];
    const [weight, fat] = [readMeasured(row, "weight"), readMeasured(row, "body_fat")];
    if (!weight) return [BAD_VALUE];
    const [recorder, offset] = [recorderOf(row), parseSamsungOffset(row.time_offset)];
    const values = { weight, fat: fat || null };
    this.#weights.push({ recorder, calendar_date: localDate(time.ms, offset), atMs: time.ms, values });
    const at = { timestamp: time.iso, timezone_offset: offset };
    const samples = { body_weight: [{ ...at, value: weight }], body_fat: fat ? [{ ...at, value: fat }] : [] };
    return toOutcomes([{ source_type: "scale", ...recorder, resources: samples }]);
  }

  addSleep(row: SamsungRow): MappingOutcome[] {
    if (!parseSamsungTime(row.start_time) || !parseSamsungTime(row.end_time)) return [BAD_DATE];
    this.#sleeps.push(row);
    return [PART_OF_NIGHT];
  }

  addStage(row: SamsungRow): MappingOutcome[] {
    const [start, end] = [parseSamsungTime(row.start_time), parseSamsungTime(row.end_time)];
    const code = sleepStages[row.stage ?? ""];
    if (!start || !end) return [BAD_DATE];
    if (!code || !row.sleep_id) return [BAD_VALUE];
    const stages = this.#stages.get(row.sleep_id) ?? [];
    this.#stages.set(row.sleep_id, stages);
    stages.push({ code, startMs: start.ms, endMs: end.ms });
    return [PART_OF_NIGHT];
  }

  /** The bodies of days, the nights, and the rows whose binning files are not in the export. */
  *derived(): Generator<OutgoingRecord> {
    const nights = this.#sleeps.flatMap((row) => this.#mapNight(row));
    const rows = [...this.#binned.values()].flatMap(({ rule, row }) =>
      toSample(rule, row, row.start_time, row.end_time, readMeasured(row, rule.column)),
    );
    const days = groupByRecorder(this.#weights, ({ recorder }) => recorder).map(({ recorder, records }) => {
      return { source_type: "scale", ...recorder, resources: { body: toBodyDays(records) } };
    });
    for (const outcome of [...toOutcomes(days), ...nights, ...rows]) if ("send" in outcome) yield outcome.send;
  }

  #mapNight(row: SamsungRow): MappingOutcome[] {
    const [startMs = 0, endMs = 0] = [parseSamsungTime(row.start_time)?.ms, parseSamsungTime(row.end_time)?.ms];
    const offset = parseSamsungOffset(row.time_offset);
    const stages = mergeStages(this.#stages.get(row.datauuid ?? "") ?? []);
    const secondsIn = (code: number) =>
      Math.round(stages.reduce((sum, one) => sum + (one.code === code ? one.endMs - one.startMs : 0), 0) / 1000);
    const provider_id = row.datauuid || `sleep ${startMs}`;
    const score = readMeasured(row, "sleep_score");
    const sleep = {
      provider_id,
      bedtime_start: formatUtc(startMs),
      bedtime_stop: formatUtc(endMs),
      timezone_offset: offset,
      awake: secondsIn(4),
      light: secondsIn(2),
      rem: secondsIn(3),
      deep: secondsIn(1),
      efficiency: readMeasured(row, "efficiency") || null,
      score: score ? Math.round(score) : null,
    };
    const hypnogram = toHypnogram(stages, offset);
    const resources = {
      sleep: [sleep],
      sleep_cycle: toSleepCycle(startMs, endMs, stages, offset),
      sleep_stream: hypnogram.length === 0 ? [] : [{ provider_id, hypnogram }],
    };
    return toOutcomes([{ source_type: "watch", ...recorderOf(row), resources }]);
  }
}

const nameOf = (path: string): string => path.split("/").at(-1) ?? path;

function toSample(
  { resource, sourceType, isInterval, more }: SampleTable,
  row: SamsungRow,
  startTime: string | undefined,
  endTime: string | undefined,
  value: number | undefined,
): MappingOutcome[] {
  const [start, end] = [parseSamsungTime(startTime), parseSamsungTime(endTime)];
  if (!start) return [BAD_DATE];
  // Zero means that the device failed to measure.
  if (!value) return [BAD_VALUE];
  const times = isInterval ? { start: start.iso, end: end?.iso ?? start.iso } : { timestamp: start.iso };
  const record = { ...times, timezone_offset: parseSamsungOffset(row.time_offset), value, ...more };
  return toOutcomes([{ source_type: sourceType, ...recorderOf(row), resources: { [resource]: [record] } }]);
}
