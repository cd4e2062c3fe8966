import { isTimeZone } from "../../../domain/shared/time-zone.ts";
import { localDate } from "../../../domain/summaries/session.ts";
import { instantInZone, toActivity, toCycle, toProfile, toSleep, toSleepStream } from "../../fitbit/map.ts";
import * as replies from "../../fitbit/replies.ts";
import { formatUtc, midnightOf } from "../../format-utc.ts";
import { zoneOffset } from "../../zone-offset.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome, type OutgoingRecord } from "../mapping-outcome.ts";
import type { CsvRow } from "../reading/csv-rows.ts";
import { parseNumber } from "../reading/parse-number.ts";
import { type DayPart, dayParts, FitbitDays } from "./fitbit-days.ts";
import { FitbitNights } from "./fitbit-nights.ts";
import { toExercise } from "./map-exercise.ts";
import { readStamped } from "./stamped-item.ts";

/** Resources whose samples are intervals of a minute. */
const MINUTES = new Set(["steps", "distance"]);
/** Factors to the units of the service: the JSON files have centimetres, and the CSV files have grams. */
const CENTIMETRES = 0.01;
const GRAMS = 0.001;
/** A minute without a reading. */
const NO_OXYGEN = 50;
const NO_ZONE = { leftOut: "local time without a time zone (pass --zone)" } as const;
const PART_OF_DAY = { leftOut: "part of the day's activity" } as const;

/** The data of one Fitbit account. JSON files are read before CSV files, which repeat a part of them. */
export class FitbitAccount {
  #zone: string | undefined;
  readonly #days = new FitbitDays();
  readonly #nights = new FitbitNights();
  /** Resources and UTC days that JSON files cover. */
  readonly #covered = new Set<string>();

  /** @param zone IANA time zone of local times, if the profile has none. */
  constructor(zone: string | undefined) {
    this.#zone = zone;
  }

  addProfile(row: CsvRow): MappingOutcome[] {
    if (row.timezone && isTimeZone(row.timezone)) this.#zone = row.timezone;
    const { date_of_birth: dateOfBirth, gender } = row;
    const profile = toProfile({ user: { encodedId: "", timezone: "", height: null, dateOfBirth, gender } });
    return toOutcomes([{ source_type: "watch", resources: { profile: [profile] } }]);
  }

  /** Adds a sample of a JSON file. Its time is UTC, unlike other times of these files. */
  addStamped(item: unknown, resource: "heartrate" | "steps" | "distance"): MappingOutcome[] {
    const { time, value } = readStamped(item) ?? {};
    const ms = Date.parse(`${time}Z`);
    if (Number.isNaN(ms)) return [BAD_DATE];
    const number = resource === "heartrate" ? Object(value).bpm : parseNumber(String(value));
    if (typeof number !== "number") return [BAD_VALUE];
    if (MINUTES.has(resource) && number === 0) return [{ leftOut: "minute without movement" }];
    this.#covered.add(`${resource} ${formatUtc(ms).slice(0, 10)}`);
    const measured = resource === "distance" ? number * CENTIMETRES : number;
    if (resource !== "heartrate" && this.#zone) this.#days.add(this.#localDay(ms), resource, measured);
    return this.#toSample(resource, ms, measured, null);
  }

  /** Adds a row with a time and a value. Times without a zone are local. */
  addRow(row: CsvRow, resource: string, column: string): MappingOutcome[] {
    const ms = this.#instantOf(row.timestamp ?? "");
    if (ms === undefined) return [NO_ZONE];
    if (Number.isNaN(ms)) return [BAD_DATE];
    const given = parseNumber(row[column]);
    if (given === undefined) return [BAD_VALUE];
    if (resource === "blood_oxygen" && given === NO_OXYGEN) return [{ leftOut: "minute without reading" }];
    if (MINUTES.has(resource) && given === 0) return [{ leftOut: "minute without movement" }];
    if (this.#covered.has(`${resource} ${formatUtc(ms).slice(0, 10)}`))
      return [{ leftOut: "duplicate of a JSON file" }];
    if (resource === "steps" && this.#zone) this.#days.leaveToService(this.#localDay(ms));
    const value = resource === "body_weight" ? given * GRAMS : given;
    return this.#toSample(resource, ms, value, row["data source"] || null);
  }

  /** Adds a value of a local day. */
  addDayPart(item: unknown, part: DayPart): MappingOutcome[] {
    const { time, value } = readStamped(item) ?? {};
    if (!time) return [BAD_DATE];
    const number = part === "resting_heart_rate" ? Object(value).value : parseNumber(String(value));
    if (typeof number !== "number") return [BAD_VALUE];
    if (!this.#zone) return [NO_ZONE];
    if (number > 0) this.#days.add(time.slice(0, 10), dayParts[part], number);
    return [PART_OF_DAY];
  }

  addVo2Max(item: unknown): MappingOutcome[] {
    const { time, value } = readStamped(item) ?? {};
    const estimate: unknown = Object(value).filteredDemographicVO2Max ?? Object(value).demographicVO2Max;
    if (!time) return [BAD_DATE];
    if (typeof estimate !== "number" || estimate <= 0) return [BAD_VALUE];
    const sample = { ...midnightOf(time.slice(0, 10)), value: estimate };
    return toOutcomes([{ source_type: "watch", device_id: null, resources: { vo2_max: [sample] } }]);
  }

  addNight(item: unknown): MappingOutcome[] {
    const [night] = replies.nights.safeParse({ sleep: [item] }).data?.sleep ?? [];
    if (!night) return [BAD_VALUE];
    if (!this.#zone) return [NO_ZONE];
    this.#nights.cover(night.dateOfSleep);
    const [sleep, cycle] = [toSleep(night, this.#zone), toCycle(night, this.#zone)];
    const stream = toSleepStream(night, this.#zone);
    return toOutcomes([
      { source_type: "watch", resources: { sleep: [sleep], sleep_cycle: cycle, sleep_stream: stream } },
    ]);
  }

  addSleepRow(row: CsvRow): MappingOutcome[] {
    return [this.#nights.addSleep(row)];
  }

  addStageRow(row: CsvRow): MappingOutcome[] {
    return [this.#nights.addStage(row)];
  }

  addExercise(row: CsvRow): MappingOutcome[] {
    const workout = toExercise(row);
    return workout ? toOutcomes([{ source_type: "watch", resources: { workouts: [workout] } }]) : [BAD_DATE];
  }

  /** The nights of CSV files, and the activity of each day. */
  *derived(): Generator<OutgoingRecord> {
    const days = [...this.#days.summaries()].flatMap(([date, summary]) => toActivity(date, { summary }));
    const batches = [...this.#nights.batches(), { source_type: "watch", resources: { activity: days } }];
    for (const outcome of toOutcomes(batches)) if ("send" in outcome) yield outcome.send;
  }

  #localDay(ms: number): string {
    return localDate(ms, zoneOffset(this.#zone, ms));
  }

  /** Epoch ms; NaN for an invalid time, undefined for a local time without a zone. */
  #instantOf(time: string): number | undefined {
    if (/Z$|[+-]\d\d:?\d\d$/.test(time)) return Date.parse(time);
    return this.#zone === undefined ? undefined : instantInZone(time.replace(" ", "T"), this.#zone);
  }

  #toSample(resource: string, ms: number, value: number, recorder: string | null): MappingOutcome[] {
    const at = formatUtc(ms);
    const times = MINUTES.has(resource) ? { start: at, end: formatUtc(ms + 60_000) } : { timestamp: at };
    const content = { ...times, timezone_offset: zoneOffset(this.#zone, ms), value };
    const source_type = resource === "body_weight" ? "scale" : "watch";
    return toOutcomes([{ source_type, device_id: recorder, resources: { [resource]: [content] } }]);
  }
}
