import fc from "fast-check";
import type {
  QueryData,
  RowSource,
  SampleRow,
  SourcePriorities,
  SummaryRow,
} from "../../../lib/domain/queries/rows/rows.ts";
import { formatInstant } from "./reference-rows.ts";
import { DAY_MS, HOUR_MS, instantOf, MINUTE_MS, wallClockIn } from "./wall-clock.ts";

/** A time zone and a day with a clock change or another anomaly. */
export interface ZoneDay {
  readonly zone: string;
  readonly date: string;
}

/** Days of 23, 25, 23.5 and 24.5 hours, a day without midnight, a skipped day, and zones with odd offsets. */
export const zoneDays: readonly ZoneDay[] = [
  { zone: "America/New_York", date: "2026-03-08" },
  { zone: "America/New_York", date: "2026-11-01" },
  { zone: "Europe/Berlin", date: "2026-03-29" },
  { zone: "Europe/Berlin", date: "2026-10-25" },
  { zone: "Australia/Lord_Howe", date: "2026-04-05" },
  { zone: "Australia/Lord_Howe", date: "2026-10-04" },
  { zone: "America/St_Johns", date: "2026-03-08" },
  { zone: "Africa/Cairo", date: "2026-04-24" },
  { zone: "Pacific/Apia", date: "2011-12-30" },
  { zone: "Asia/Kolkata", date: "2026-01-01" },
  { zone: "Asia/Kathmandu", date: "2028-02-29" },
  { zone: "Pacific/Kiritimati", date: "2026-12-31" },
  { zone: "Etc/UTC", date: "2026-05-31" },
];

/** UTC offsets of a traveller: on both sides of the date line, and between. */
const travel = [-11, -8, -3.5, 0, 5.75, 12, 14].map((hours) => hours * 3600);

const providers = ["oura", "fitbit", "garmin", "apple_health_kit"];
const types = ["phone", "watch", "ring", "unknown", "earphone"];

const arbitrarySource: fc.Arbitrary<RowSource> = fc.record({
  provider: fc.constantFrom(...providers),
  type: fc.constantFrom(...types),
  app_id: fc.constantFrom(null, "com.example.run"),
  device_id: fc.constant(null),
  sport: fc.constantFrom(null, null, "running"),
  workout_id: fc.constant(null),
});

const priorities: fc.Arbitrary<SourcePriorities> = fc.record({
  overrides: fc.uniqueArray(fc.constantFrom(...providers), { maxLength: 2 }),
  providers: fc.dictionary(fc.constantFrom(...providers), fc.integer({ min: -1, max: 3 }), { noNullPrototype: true }),
});

const missing = <T>(value: fc.Arbitrary<T>) => fc.oneof({ arbitrary: value, weight: 5 }, fc.constant(null));
/** Few values, so that conditions and medians meet equal values; some are not integers. */
export const sampleNumbers = [0, 1, 2, 2.5, 10, 60, 99.9, 100, 7_000];
const number = fc.constantFrom(...sampleNumbers);

/** Instants around a day on a coarse grid, so that many are equal; some lie outside every timeframe. */
function instants({ zone, date }: ZoneDay): fc.Arbitrary<number> {
  const begin = instantOf(zone, Date.parse(date));
  const grid = fc.integer({ min: -4 * 48, max: 4 * 48 }).map((halfHours) => begin + halfHours * 30 * MINUTE_MS);
  const near = fc.integer({ min: -30, max: 30 }).map((steps) => begin + 2 * HOUR_MS + steps * 5 * MINUTE_MS);
  return fc.oneof(
    grid,
    near,
    near.map((ms) => ms + 17_250),
  );
}

const offsetsAt = ({ zone }: ZoneDay, ms: number): fc.Arbitrary<number | null> =>
  fc.constantFrom(null, Math.round((wallClockIn(zone, ms) - ms) / 1000), ...travel);

const lengths = [0, 5, 10, 30, 90, 600].map((minutes) => minutes * MINUTE_MS);

const timesAt = (place: ZoneDay) =>
  instants(place).chain((at) => fc.record({ at: fc.constant(at), timezone_offset: offsetsAt(place, at) }));

function samplesOf<Fields extends object>(place: ZoneDay, isInterval: boolean, fields: fc.Arbitrary<Fields>) {
  const length = isInterval ? fc.constantFrom(...lengths) : fc.constant(0);
  const sample = fc
    .tuple(timesAt(place), length, arbitrarySource, fields)
    .map(([{ at, timezone_offset }, lasts, source, own]): SampleRow => {
      return { timestamp: formatInstant(at), end: formatInstant(at + lasts), timezone_offset, source, ...own };
    });
  return fc.array(sample, { maxLength: 24 });
}

const tags = fc.subarray(["food", "exercise", "insulin_injection", "unspecified"]);

/** Timeseries of the generated queries: an amount, measures, two-valued samples, a text with a list. */
const timeseriesOf = (place: ZoneDay): Readonly<Record<string, fc.Arbitrary<SampleRow[]>>> => ({
  steps: samplesOf(place, true, fc.record({ value: missing(number), type: fc.constant(null) })),
  body_temperature: samplesOf(place, true, fc.record({ value: missing(number), type: fc.constant(null) })),
  heartrate: samplesOf(place, false, fc.record({ value: missing(number), type: fc.constantFrom(null, "resting") })),
  blood_pressure: samplesOf(
    place,
    false,
    fc.record({ type: fc.constant(null), systolic: missing(number), diastolic: missing(number) }),
  ),
  note: samplesOf(
    place,
    true,
    fc.record({ type: fc.constant(null), value: fc.constantFrom("a", "it's", ""), tags: missing(tags) }),
  ),
});

const dateNear = ({ date }: ZoneDay) =>
  fc.integer({ min: -40, max: 6 }).map((days) => formatInstant(Date.parse(date) + days * DAY_MS).slice(0, 10));

const idOf = fc.integer({ min: 1, max: 9 }).map((id) => `id-${id}`);

function sleepsOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const night = fc
    .record({
      when: fc.tuple(fc.integer({ min: -40, max: 3 }), timesAt(place)),
      source: arbitrarySource,
      id: idOf,
      type: fc.constantFrom("long_sleep", "long_sleep", "short_sleep", "acknowledged_nap"),
      state: fc.constantFrom(null, "confirmed"),
      duration: fc.constantFrom(3_600, 25_200, 28_800, 36_000),
      asleep: fc.constantFrom(0, 0.5, 0.85, 1),
      score: missing(fc.integer({ min: 1, max: 100 })),
      efficiency: missing(number),
      latency: missing(fc.constantFrom(0, 300, 1_800)),
      hr_lowest: missing(fc.integer({ min: 40, max: 60 })),
      hr_average: missing(fc.integer({ min: 45, max: 70 })),
      hr_resting: missing(fc.integer({ min: 40, max: 65 })),
      average_hrv: missing(fc.integer({ min: 20, max: 90 })),
    })
    .map(({ when: [days, { at, timezone_offset }], asleep, ...fields }): SummaryRow => {
      const start = at + days * DAY_MS;
      const stop = start + fields.duration * 1000;
      const day = formatInstant(stop + (timezone_offset ?? 0) * 1000).slice(0, 10);
      const total = fields.duration * asleep;
      const [light, rem, deep] = [0.6, 0.25, 0.15].map((part) => Math.round(total * part));
      const stages = { total, light, rem, deep, awake: fields.duration - total };
      const times = {
        bedtime_start: formatInstant(start),
        bedtime_stop: formatInstant(stop),
        timezone_offset,
        calendar_date: day,
      };
      return { ...fields, ...stages, ...times, date: `${day}T00:00:00+00:00` };
    });
  return fc.array(night, { maxLength: 30 }).map((nights) => nights.map((row, at) => ({ ...row, id: `sleep-${at}` })));
}

/** Consecutive nights, so that most have a baseline; some dates have two nights, some none. */
function nightsOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const night = fc.record({
    days: fc.integer({ min: -32, max: 3 }),
    hour: fc.constantFrom(4, 6, 7.5, 10),
    source: fc.oneof({ arbitrary: fc.constant({ provider: "oura", type: "ring" }), weight: 4 }, arbitrarySource),
    type: fc.constantFrom("long_sleep", "long_sleep", "long_sleep", "short_sleep"),
    duration: fc.constantFrom(18_000, 25_200, 28_800, 36_000),
    asleep: fc.constantFrom(0.5, 0.85, 0.97),
    isStaged: fc.boolean(),
    efficiency: missing(fc.integer({ min: 60, max: 100 })),
    hr_lowest: missing(fc.integer({ min: 40, max: 60 })),
    hr_resting: missing(fc.integer({ min: 40, max: 65 })),
    average_hrv: missing(fc.integer({ min: 20, max: 90 })),
  });
  return fc.array(night, { minLength: 8, maxLength: 60, size: "+1" }).map((nights) =>
    nights.map(({ days, hour, asleep, isStaged, ...fields }, index): SummaryRow => {
      const clock = Date.parse(place.date) + days * DAY_MS + hour * HOUR_MS;
      const stop = instantOf(place.zone, clock);
      const total = Math.round(fields.duration * asleep);
      const [light, rem, deep] = [0.6, 0.25, 0.15].map((part) => (isStaged ? Math.round(total * part) : 0));
      const times = { bedtime_start: formatInstant(stop - fields.duration * 1000), bedtime_stop: formatInstant(stop) };
      const calendar_date = formatInstant(wallClockIn(place.zone, stop)).slice(0, 10);
      const stages = { total, light, rem, deep, awake: fields.duration - total, latency: null };
      return { ...fields, ...stages, ...times, id: `sleep-${index}`, timezone_offset: null, calendar_date };
    }),
  );
}

/** Sleep cycles of some sleeps: consecutive stages. */
const cycles: fc.Arbitrary<SummaryRow[]> = fc
  .uniqueArray(fc.integer({ min: 0, max: 12 }), { maxLength: 8 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc.array(fc.constantFrom(1, 2, 3, 4), { minLength: 1, maxLength: 8 }).map((stage_type): SummaryRow => {
          const starts = stage_type.map((_, index) => index * 600);
          const ends = starts.map((start) => start + 600);
          const source = { provider: "oura", type: "ring" };
          return {
            ...{ sleep_id: `sleep-${id}`, source, stage_type },
            ...{ stage_start_offset_second: starts, stage_end_offset_second: ends },
          };
        }),
      ),
    ),
  );

function activitiesOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const beats = fc.record({ avg_bpm: missing(number), resting_bpm: missing(number) });
  const day = fc.record({
    calendar_date: dateNear(place),
    source: arbitrarySource,
    steps: missing(number),
    distance: missing(number),
    calories_active: missing(number),
    low: missing(number),
    heart_rate: missing(beats),
    wheelchair_use: missing(fc.boolean()),
    timezone_offset: fc.constantFrom(null, ...travel),
  });
  return fc.array(day, { maxLength: 20 });
}

function workoutsOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const workout = fc
    .record({
      when: timesAt(place),
      source: arbitrarySource,
      average_hr: missing(number),
      distance: missing(number),
      calories: missing(number),
      sport: fc.constantFrom({ id: 1, name: "Running", slug: "running" }, { id: 2, name: "Yoga", slug: "yoga" }),
      provider_id: idOf,
    })
    .map(({ when: { at, timezone_offset }, ...fields }): SummaryRow => {
      return { ...fields, timezone_offset, time_start: formatInstant(at), time_end: formatInstant(at + HOUR_MS) };
    });
  return fc.array(workout, { maxLength: 12 });
}

function bodiesOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const body = fc
    .record({ calendar_date: dateNear(place), source: arbitrarySource, weight: missing(number), fat: missing(number) })
    .map((row): SummaryRow => ({ ...row, date: `${row.calendar_date}T00:00:00+00:00` }));
  return fc.array(body, { maxLength: 12 });
}

function cyclesOf(place: ZoneDay): fc.Arbitrary<SummaryRow[]> {
  const date = dateNear(place);
  const cycle = fc
    .record({
      period_start: date,
      lasts: missing(fc.integer({ min: 0, max: 6 })),
      is_predicted: fc.boolean(),
      source: arbitrarySource,
      menstrual_flow: fc.array(fc.record({ date, flow: fc.constantFrom("none", "light", "heavy") }), { maxLength: 4 }),
      basal_body_temperature: fc.array(fc.record({ date, value: fc.constantFrom(36.1, 36.6, 37) }), { maxLength: 4 }),
      sexual_activity: fc.array(fc.record({ date, protection_used: missing(fc.boolean()) }), { maxLength: 3 }),
    })
    .map(({ lasts, ...cycle }): SummaryRow => {
      const end = lasts === null ? null : formatInstant(Date.parse(cycle.period_start) + lasts * DAY_MS).slice(0, 10);
      return { ...cycle, period_end: end };
    });
  return fc.array(cycle, { maxLength: 8 });
}

const tables: Readonly<Record<string, (place: ZoneDay) => fc.Arbitrary<SummaryRow[]>>> = {
  activity: activitiesOf,
  workout: workoutsOf,
  body: bodiesOf,
  menstrual_cycle: cyclesOf,
};

/** Arbitrary data of a user around a zone's day, for one table or timeseries. */
export function arbitraryData(place: ZoneDay, about: string): fc.Arbitrary<QueryData> {
  const samples = timeseriesOf(place)[about];
  const timeseries = samples ? fc.record({ [about]: samples }) : fc.constant({});
  const rows = tables[about];
  const nights = {
    derived_readiness: { sleep: nightsOf(place) },
    sleep: { sleep: sleepsOf(place), sleep_cycle: cycles },
  };
  const read = about === "derived_readiness" || about === "sleep" ? nights[about] : rows && { [about]: rows(place) };
  const summaries: fc.Arbitrary<QueryData["summaries"]> = read ? fc.record(read) : fc.constant({});
  return fc.record({ timeseries, summaries, priorities });
}
