import type * as z from "zod";
import type { PulledBatch } from "../../connector.ts";
import { toActivity, toBloodOxygen, toVo2Max, toWorkout } from "../../oura/map-days.ts";
import { isSleepPeriod } from "../../oura/map-sleep.ts";
import * as replies from "../../oura/replies.ts";
import { readRecord } from "../../tolerant-reader.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { defineFormat, type FileKind } from "../format.ts";
import { BAD_VALUE, type MappingOutcome } from "../mapping-outcome.ts";
import { type CsvRow, readCsvRows } from "../reading/csv-rows.ts";
import { readJsonItems } from "../reading/json-items.ts";
import { toTrendDocuments } from "./map-trend.ts";
import { OuraNights } from "./oura-nights.ts";
import { toDocument } from "./to-document.ts";

type Kind = FileKind<OuraNights>;

/** A kind of document of Oura's API, which a CSV or a JSON file lists. */
interface DocumentKind<S extends z.ZodType> {
  readonly name: string;
  readonly resources: readonly string[];
  /** Fields that the documents have, and fields that only similar ones have. */
  readonly has: readonly string[];
  readonly lacks?: readonly string[];
  readonly schema: S;
  readonly map: (document: z.output<S>, nights: OuraNights) => readonly MappingOutcome[];
}

function documents<S extends z.ZodType>({ name, resources, has, lacks = [], schema, map }: DocumentKind<S>): Kind[] {
  const mapOne = (document: unknown, nights: OuraNights): readonly MappingOutcome[] => {
    const data = readRecord(document, schema, name);
    return data === undefined ? [BAD_VALUE] : map(data, nights);
  };
  const names = (find: (field: string) => string) =>
    [...has.map((field) => `(?=${find(field)})`), ...lacks.map((field) => `(?!${find(field)})`)].join("");
  return [
    {
      name: `${name}.csv`,
      resources,
      recognise: {
        path: /\.csv$/i,
        head: new RegExp(`^(?:\\xef\\xbb\\xbf)?${names((field) => `[^\\n]*\\b${field}\\b`)}`),
      },
      async *read(file, nights) {
        for await (const rows of readCsvRows(file.open())) yield rows.flatMap((row) => mapOne(toDocument(row), nights));
      },
    },
    {
      name: `${name}.json`,
      resources,
      recognise: { path: /\.json$/i, head: new RegExp(`^(?=\\s*[[{])${names((field) => `[\\s\\S]*"${field}"`)}`) },
      async *read(file, nights) {
        for await (const items of readJsonItems(file.open())) yield items.flatMap((item) => mapOne(item, nights));
      },
    },
  ];
}

/** A day of the trends file of Oura's website. */
function mapTrend(row: CsvRow, nights: OuraNights): readonly MappingOutcome[] {
  const { score, readiness, period, activity } = toTrendDocuments(row);
  nights.addScore(score);
  if (readiness) nights.addReadiness(readiness);
  const night = period ? [nights.addPeriod(period)] : [];
  return activity || !period ? [...night, ...send({ activity: activity ? [toActivity(activity)] : [] })] : night;
}

const send = (resources: PulledBatch["resources"]) => toOutcomes([{ source_type: "ring", resources }]);

/**
 * The data export of an Oura account: CSV files with the field names of Oura's API, and lists of its documents as JSON.
 * The mapping is that of the connector.
 */
export const oura = defineFormat<OuraNights>({
  title: "Oura export",
  provider: "oura",
  facts: ["fields: Oura's API documentation", "names and separators of files: tests of public readers"],
  createState: () => new OuraNights(),
  kinds: [
    {
      name: "oura_*_trends.csv",
      resources: ["sleep", "activity"],
      recognise: {
        path: /\.csv$/i,
        head: /^(?:\xef\xbb\xbf)?(?=[^\n]*\bdate\b)(?=[^\n]*\bBedtime Start\b)[^\n]*Sleep Score/,
      },
      async *read(file, nights) {
        for await (const rows of readCsvRows(file.open())) yield rows.flatMap((row) => mapTrend(row, nights));
      },
    },
    ...documents({
      name: "dailysleep",
      resources: ["sleep"],
      has: ["id", "day", "score"],
      lacks: ["temperature_deviation", "steps", "bedtime_start"],
      schema: replies.dailySleep,
      map: (day, nights) => [nights.addScore(day)],
    }),
    ...documents({
      name: "dailyreadiness",
      resources: ["sleep", "body_temperature_delta"],
      has: ["day", "temperature_deviation"],
      lacks: ["bedtime_start"],
      schema: replies.dailyReadiness,
      map: (day, nights) => {
        nights.addReadiness(day);
        const { timestamp, temperature_deviation: value } = day;
        return send({ body_temperature_delta: value == null ? [] : [{ timestamp, value }] });
      },
    }),
    ...documents({
      name: "sleepmodel",
      resources: ["sleep", "sleep_cycle", "sleep_stream", "hrv"],
      has: ["bedtime_start", "bedtime_end"],
      schema: replies.sleepPeriod,
      map: (period, nights) =>
        isSleepPeriod(period) ? [nights.addPeriod(period)] : [{ leftOut: "rest or deleted period" }],
    }),
    ...documents({
      name: "dailyactivity",
      resources: ["activity"],
      has: ["day", "steps", "active_calories"],
      schema: replies.dailyActivity,
      map: (day) => send({ activity: [toActivity(day)] }),
    }),
    ...documents({
      name: "heartrate",
      resources: ["heartrate"],
      has: ["timestamp", "bpm"],
      schema: replies.heartRate,
      map: ({ timestamp, bpm }) => send({ heartrate: [{ timestamp, timezone_offset: null, value: bpm }] }),
    }),
    ...documents({
      name: "workout",
      resources: ["workouts"],
      has: ["activity", "start_datetime"],
      schema: replies.workout,
      map: (done) => send({ workouts: [toWorkout(done)] }),
    }),
    ...documents({
      name: "dailyspo2",
      resources: ["blood_oxygen"],
      has: ["day", "spo2_percentage"],
      schema: replies.dailySpo2,
      map: (day) => send({ blood_oxygen: toBloodOxygen(day) }),
    }),
    ...documents({
      name: "vo2max",
      resources: ["vo2_max"],
      has: ["timestamp", "vo2_max"],
      schema: replies.vo2Max,
      map: (one) => send({ vo2_max: toVo2Max(one) }),
    }),
  ],
  derive: (nights) => nights.derived(),
});
