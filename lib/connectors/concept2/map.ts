import type * as z from "zod";
import { formatUtc } from "../format-utc.ts";
import { roundOrNull } from "../nullable-numbers.ts";
import { parseSport } from "../parse-sport.ts";
import type { Result, Stroke, user } from "./replies.ts";

/** Sports by the type of a result. */
const sportNames: Readonly<Record<string, string>> = {
  rower: "indoor rowing",
  dynamic: "indoor rowing",
  slides: "indoor rowing",
  skierg: "indoor skiing",
  bike: "indoor cycling",
  water: "rowing",
  snow: "cross country skiing",
  rollerski: "roller skiing",
  paddle: "canoeing",
};

const parseTime = (text: string) => Date.parse(`${text.replace(" ", "T")}Z`);
/** Zero means not measured. */
const measured = (value: number | null | undefined) => value || null;

/** Start, end and UTC offset of a result. A result without `date_utc` states no time zone: its date counts as UTC. */
export function timesOf({ date, date_utc, time, rest_time }: Result) {
  const endMs = parseTime(date_utc ?? date);
  const offset = date_utc == null ? null : (parseTime(date) - endMs) / 1000;
  return { startMs: endMs - (time + (rest_time ?? 0)) * 100, endMs, offset };
}

/** Maps a result: metres, and tenths of a second to seconds. Rest between intervals is no moving time. */
export function toWorkout(done: Result) {
  const { startMs, endMs, offset } = timesOf(done);
  return {
    provider_id: String(done.id),
    time_start: formatUtc(startMs),
    time_end: formatUtc(endMs),
    timezone_offset: offset,
    sport: parseSport(sportNames[done.type ?? ""] ?? done.type ?? ""),
    distance: measured(done.distance),
    calories: measured(done.calories_total),
    moving_time: Math.round(done.time / 10),
    average_hr: roundOrNull(measured(done.heart_rate?.average)),
    max_hr: roundOrNull(measured(done.heart_rate?.max)),
  };
}

/** Maps strokes; empty without any. Times and distances of strokes start again with each interval. */
export function toStream(done: Result, strokes: readonly Stroke[]) {
  if (strokes.length === 0) return [];
  const { startMs } = timesOf(done);
  const intervals = done.workout?.intervals ?? [];
  let [place, before] = [0, { t: 0, d: 0 }];
  let last = { t: 0, d: 0 };
  const points = strokes.map(({ t, d, spm, hr }) => {
    if (t < last.t) {
      const { time, rest_time, distance } = intervals[place++] ?? {};
      before = {
        t: before.t + (time ?? last.t) + (rest_time ?? 0),
        d: before.d + (distance == null ? last.d : distance * 10),
      };
    }
    last = { t, d: d ?? 0 };
    const distance = d == null ? null : (before.d + d) / 10;
    return { time: Math.floor((startMs + (before.t + t) * 100) / 1000), distance, spm, hr };
  });
  return [
    {
      provider_id: String(done.id),
      time: points.map(({ time }) => time),
      distance: points.map(({ distance }) => distance),
      cadence: points.map(({ spm }) => spm ?? null),
      heartrate: points.map(({ hr }) => roundOrNull(measured(hr))),
    },
  ];
}

const sexes: Readonly<Record<string, string>> = { F: "female", M: "male" };

/** Maps the profile and the current weight, in hundredths of a kilogram. @param date the date of the weight. */
export function toPerson({ data: { gender, dob, weight } }: z.output<typeof user>, date: string) {
  const sex = sexes[gender ?? ""] ?? null;
  return {
    profile: [{ birth_date: dob || null, gender: sex, sex, height: null }],
    body: weight ? [{ calendar_date: date, weight: weight / 100 }] : [],
  };
}
