import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";
import { utcMidnightMs } from "../ingest/ingestion-bounds.ts";
import { DAY_S } from "../shared/durations.ts";
import { formatInstant } from "../shared/instant.ts";
import { localDate, parseSession } from "./session.ts";
import { startOffsetField } from "./start-offset.ts";
import {
  type ChoiceSchema,
  dateField,
  instantField,
  knownChoice,
  midnightOfDate,
  quantity,
  timezoneOffset,
  whole,
} from "./summary-fields.ts";
import { defineSummaryKind } from "./summary-kind.ts";

const LONG_SLEEP_S = 3 * 3600;
const MAX_PERIOD_S = 7 * DAY_S;
/** The day of a period is the local day of its end, so it lies at most this many days from its start in UTC. */
const MAX_DAYS_OFF = 8;

const seconds = (description: string) => z.int().min(0).max(MAX_PERIOD_S).describe(`${description}, seconds`);
const stage = (description: string) => seconds(description).default(0);
const bpm = (description: string) => whole(`${description}, bpm`, 10, 400);

const sharedFields = (choice: ChoiceSchema) => ({
  bedtime_start: instantField("Start of the sleep period"),
  bedtime_stop: instantField("End of the sleep period, after its start and at most 7 days later"),
  timezone_offset: timezoneOffset,
  awake: stage("Awake during the period"),
  light: stage("Light sleep"),
  rem: stage("REM sleep"),
  deep: stage("Deep sleep"),
  score: whole("Sleep quality, 1 to 100", 1, 100),
  recovery_readiness_score: whole("The provider's recovery or readiness, 0 to 100", 0, 100),
  hr_lowest: bpm("Lowest heart rate"),
  hr_average: bpm("Mean heart rate"),
  hr_resting: bpm("Resting heart rate"),
  efficiency: quantity("Share of the period spent asleep, %", 0, 100),
  latency: seconds("Time to fall asleep").nullable().default(null),
  temperature_delta: quantity("Deviation of the skin temperature from the long-term mean, °C", -40, 40),
  skin_temperature: quantity("Skin temperature, °C", 0, 60),
  hr_dip: quantity("Drop of the sleeping heart rate below the waking one, %", -100, 100),
  state: choice(["tentative", "confirmed"]).nullable().default(null).describe("Whether the source may still change it"),
  average_hrv: quantity("Mean heart rate variability, RMSSD in ms", 0, 2_000),
  respiratory_rate: quantity("Mean breaths per minute", 1, 200),
});

const types = ["long_sleep", "short_sleep", "acknowledged_nap", "unknown"];

const ingest = z.object({
  ...sharedFields(knownChoice),
  calendar_date: dateField(
    "Day, at most 8 days from the start. Defaults to the local day on which the period ends",
  ).optional(),
  type: knownChoice(types).optional().describe("Defaults to long_sleep from 3 hours of sleep, otherwise short_sleep"),
  duration: seconds("Defaults to the length of the period").optional(),
  total: seconds(
    "Time asleep; defaults to the sum of the stages, or without stages to duration minus awake",
  ).optional(),
  provider_id: z
    .string()
    .min(1)
    .max(256)
    .nullable()
    .default(null)
    .describe("The provider's id, which links the sleep stream"),
});

/** A period of sleep: one per source and start. */
export const sleep = defineSummaryKind({
  name: "sleep",
  days: { begin: "bedtime_start", keyDaysOff: MAX_DAYS_OFF },
  ingest,
  wireFields: {
    date: midnightOfDate,
    calendar_date: dateField("Day on which the period ends in the user's local time"),
    ...sharedFields(openEnum),
    type: openEnum(types).describe("Type of the period"),
    duration: seconds("Length of the period"),
    total: seconds("Time asleep"),
    sleep_stream: z.null().describe("Always null; read the sleep stream by the id"),
  },
  prepare: (given, { bounds }) => {
    const session = parseSession(given, ["bedtime_start", "bedtime_stop"], given.timezone_offset);
    if ("reason" in session) return session;
    if (session.durationS > MAX_PERIOD_S) return { field: "bedtime_stop", reason: "value_out_of_range" };
    const { provider_id: providerId, ...fields } = given;
    const day = given.calendar_date ?? localDate(session.endMs, session.endOffsetS, bounds.timeZone);
    const duration = given.duration ?? session.durationS;
    const total = given.total ?? defaultTotal(given, duration);
    const bedtimeStart = formatInstant(session.startMs);
    if (!(daysBetween(bedtimeStart, day) <= MAX_DAYS_OFF)) return { field: "calendar_date", reason: "bad_time" };
    const derived = {
      date: `${day}T00:00:00+00:00`,
      calendar_date: day,
      bedtime_start: bedtimeStart,
      bedtime_stop: formatInstant(session.endMs),
      timezone_offset: session.endOffsetS,
      ...startOffsetField(session.offsetS, session.endOffsetS),
      type: given.type ?? (total >= LONG_SLEEP_S ? "long_sleep" : "short_sleep"),
      duration,
      total,
      sleep_stream: null,
    };
    return { key: bedtimeStart, providerId, fields: { ...fields, ...derived }, span: session };
  },
});

function daysBetween(begin: string, day: string): number {
  return Math.abs(utcMidnightMs(begin.slice(0, 10)) - utcMidnightMs(day)) / (DAY_S * 1000);
}

function defaultTotal({ awake, light, rem, deep }: z.output<typeof ingest>, durationS: number): number {
  return light + rem + deep || Math.max(0, durationS - awake);
}
