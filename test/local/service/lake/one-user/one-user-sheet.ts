import type { Answer, TestService } from "../../../../support/service.ts";
import { exportManifest, readFiles } from "../../fhir/bulk-helpers.ts";
import { readAll } from "../../fhir/fhir-helpers.ts";
import { pageSamples, readGroupedPage } from "../../ingest/ingest-batch.ts";
import { openInDuckdb } from "../lake-files.ts";
import { days } from "./user-data.ts";

type Json = Answer["body"];
type Day = (typeof days)[number];

/** A number of the sheet, by day. */
export type Reading = (measure: Measure, day: Day) => number;

/** A number of a day: where each way finds it. */
interface Measure {
  readonly what: string;
  readonly unit: string;
  /** Own code of the Observation, and of its component. */
  readonly code: string;
  readonly component?: string;
  /** Timeseries or summary, and the field of its record. */
  readonly resource: string;
  readonly field: string;
  readonly of: "samples" | "summaries";
  /** What to make of the values of the day. */
  readonly reduce: "count" | "min" | "max" | "avg";
}

const heartRate = { unit: "/min", code: "heartrate", resource: "heartrate", field: "value", of: "samples" } as const;
const sample = { of: "samples", field: "value", reduce: "avg" } as const;
const pressure = {
  unit: "mmHg",
  code: "blood_pressure",
  resource: "blood_pressure",
  of: "samples",
  reduce: "avg",
} as const;
const activity = { resource: "activity", of: "summaries", reduce: "avg" } as const;
const sleep = { unit: "s", code: "sleep", resource: "sleep", of: "summaries", reduce: "avg" } as const;

/** The numbers of the sheet. */
export const measures: readonly Measure[] = [
  { what: "heart rate, samples", ...heartRate, unit: "", reduce: "count" },
  { what: "heart rate, lowest", ...heartRate, reduce: "min" },
  { what: "heart rate, mean", ...heartRate, reduce: "avg" },
  { what: "heart rate, highest", ...heartRate, reduce: "max" },
  { what: "systolic pressure", ...pressure, field: "systolic", component: "blood_pressure.systolic" },
  { what: "diastolic pressure", ...pressure, field: "diastolic", component: "blood_pressure.diastolic" },
  { what: "glucose", unit: "mmol/L", code: "glucose", resource: "glucose", ...sample },
  { what: "weight", unit: "kg", code: "body_weight", resource: "body_weight", ...sample },
  { what: "steps", unit: "", code: "activity.steps", field: "steps", ...activity },
  { what: "distance", unit: "m", code: "activity.distance", field: "distance", ...activity },
  {
    what: "resting heart rate",
    unit: "/min",
    code: "activity.hr_resting",
    field: "heart_rate.resting_bpm",
    ...activity,
  },
  { what: "sleep", ...sleep, field: "total" },
  { what: "deep sleep", ...sleep, field: "deep", component: "sleep.deep" },
];

/** Two decimals, which is more than any unit of the sheet needs. */
const round = (value: number) => Math.round(value * 100) / 100;

function reduceValues(values: readonly number[], how: Measure["reduce"]): number {
  if (values.length === 0 || values.some((value) => !Number.isFinite(value))) throw new Error("a value is missing");
  if (how === "count") return values.length;
  if (how === "avg") return round(values.reduce((sum, value) => sum + value, 0) / values.length);
  return how === "min" ? Math.min(...values) : Math.max(...values);
}

const fieldOf = (record: Json, field: string): number =>
  Number(field.split(".").reduce<Json>((at, name) => at?.[name], record));

/** Reads the sheet by the ordinary API. */
async function readByApi(service: TestService, userId: string): Promise<Reading> {
  const records = new Map<string, Json[]>();
  const range = { start_date: days[0], end_date: days[2] };
  for (const { resource, of } of measures) {
    const path = `/v2/summary/${resource}/${userId}?${new URLSearchParams(range)}`;
    const found =
      of === "samples"
        ? pageSamples(await readGroupedPage(service, userId, resource, range))
        : (await service.call("GET", path)).body[resource];
    records.set(resource, found);
  }
  return ({ resource, field, reduce }, day) => {
    const ofDay = (one: Json) => (one.timestamp ?? one.calendar_date).startsWith(day);
    return reduceValues(
      (records.get(resource) ?? []).filter(ofDay).map((one) => fieldOf(one, field)),
      reduce,
    );
  };
}

/** Reads the sheet from Observations. */
function readFromObservations(observations: readonly Json[]): Reading {
  const has = ({ code: { coding } }: Json, code: string) => coding.some((one: Json) => one.code === code);
  const dayOf = ({ effectiveDateTime, effectivePeriod }: Json): string => effectiveDateTime ?? effectivePeriod.end;
  return ({ code, component, reduce }, day) => {
    const ofDay = observations.filter((one) => has(one, code) && dayOf(one).startsWith(day));
    const parts = ofDay.map((one) =>
      component === undefined ? one : one.component.find((part: Json) => has(part, component)),
    );
    return reduceValues(
      parts.map(({ valueQuantity }) => valueQuantity.value),
      reduce,
    );
  };
}

/** Reads the sheet by searches of the FHIR interface. */
async function readBySearch(service: TestService, userId: string): Promise<Reading> {
  const codes = [...new Set(measures.map(({ code }) => code))].join(",");
  // From the day before, on which the first night begins.
  const path = `/Observation?patient=${userId}&code=${codes}&date=ge2026-04-30&_count=1000`;
  return readFromObservations(await readAll(service, path));
}

/** Reads the sheet from the files of a bulk export. */
async function readByBulkExport(service: TestService, userId: string): Promise<Reading> {
  const { manifest } = await exportManifest(service, "/Patient/$export?_type=Observation");
  const all = await readFiles(service, manifest);
  return readFromObservations(all.filter(({ subject }) => subject.reference === `Patient/${userId}`));
}

const SAMPLES = `
  SELECT * FROM samples QUALIFY row_number() OVER (
    PARTITION BY user_id, resource, provider, source_type, device_id, app_id, start, subtype
    ORDER BY received_at DESC, receipt DESC
  ) = 1 AND NOT is_deleted`;
const SUMMARIES = `
  SELECT * FROM summaries WHERE NOT is_derived
  QUALIFY row_number() OVER (PARTITION BY id ORDER BY version DESC) = 1`;

/** Reads the sheet from the files of the lake, with DuckDB. */
async function readFromLake(service: TestService, userId: string): Promise<Reading> {
  const lake = await openInDuckdb(service);
  const found = new Map<Measure, Map<string, number>>();
  for (const measure of measures) {
    const { of, resource, field, reduce } = measure;
    const json = of === "samples" ? "fields" : "body";
    const value = field === "value" ? "value" : `CAST(json_extract(${json}, '$.${field}') AS DOUBLE)`;
    const rows = await lake.rows(`
      SELECT CAST(day AS VARCHAR) AS day, ${reduce}(${value}) AS result
      FROM (${of === "samples" ? SAMPLES : SUMMARIES})
      WHERE user_id = '${userId}' AND ${of === "samples" ? "resource" : "kind"} = '${resource}'
      GROUP BY day`);
    found.set(measure, new Map(rows.map(({ day, result }) => [String(day), round(Number(result))])));
  }
  lake.close();
  return (measure, day) => found.get(measure)?.get(day) ?? Number.NaN;
}

/** The ways to read the numbers, in the order of the sheet's columns. */
export const ways = {
  API: readByApi,
  "FHIR search": readBySearch,
  "FHIR bulk export": readByBulkExport,
  "Lake, with DuckDB": readFromLake,
} as const;
