import { formatUtc } from "../../format-utc.ts";
import { toOutcomes } from "../batch-outcomes.ts";
import { defineFormat } from "../format.ts";
import { BAD_DATE, BAD_VALUE, type MappingOutcome } from "../mapping-outcome.ts";
import { readCsvRows } from "../reading/csv-rows.ts";
import { readJson, readJsonItems } from "../reading/json-items.ts";
import { readHead, type SourceFile } from "../reading/source-file.ts";
import { mapDay } from "./map-day.ts";
import { mapSession } from "./map-session.ts";

/** The types of data points that have a resource. */
const types: Readonly<
  Record<string, { readonly resource: string; readonly isInterval?: boolean; readonly source?: string }>
> = {
  "com.google.step_count.delta": { resource: "steps", isInterval: true },
  "com.google.distance.delta": { resource: "distance", isInterval: true },
  "com.google.heart_rate.bpm": { resource: "heartrate" },
  "com.google.weight": { resource: "body_weight", source: "scale" },
  "com.google.body.fat.percentage": { resource: "body_fat", source: "scale" },
  "com.google.oxygen_saturation": { resource: "blood_oxygen" },
};

/** A data source that Google merged from all raw ones. Others repeat its points. */
const MERGED = /^derived:(com\.google\.[\w.]+):com\.google\.android\.gms:(?:merge|estimated_steps)/;

/** Google Fit in Google Takeout. The code and the tests of public readers describe its files. */
export const googleFit = defineFormat<Map<string, string>>({
  title: "Google Fit data of Google Takeout",
  provider: "google_fit",
  facts: ["code and tests of public readers, which cite Google's list of data types"],
  createState: () => new Map(),
  kinds: [
    {
      name: "All Data/*.json",
      resources: Object.values(types).map(({ resource }) => resource),
      recognise: { path: /\.json$/i, head: /"Data Source"\s*:/ },
      read: readPoints,
    },
    {
      name: "All Sessions/*.json",
      resources: ["workouts", "sleep", "sleep_cycle", "sleep_stream"],
      recognise: { path: /\.json$/i, head: /"fitnessActivity"\s*:/ },
      async *read(file) {
        yield mapSession(await readJson(file));
      },
    },
    {
      name: "Daily activity metrics.csv",
      resources: ["activity", "body"],
      recognise: {
        path: /\.csv$/i,
        head: /^(?:\xef\xbb\xbf)?Date,[^\n]*(?:Step count|Calories \(kcal\)|Distance \(m\))/,
      },
      async *read(file) {
        for await (const rows of readCsvRows(file.open())) yield rows.flatMap(mapDay);
      },
    },
  ],
});

/** Reads the points of the first merged data source of each type: a type can have two, of which one derives from the other. */
async function* readPoints(file: SourceFile, sources: Map<string, string>): AsyncGenerator<readonly MappingOutcome[]> {
  const [, dataSource = ""] = /"Data Source"\s*:\s*"([^"]*)"/.exec(await readHead(file)) ?? [];
  const [, type = ""] = MERGED.exec(dataSource) ?? [];
  const rule = types[type];
  const isFirst = (sources.get(type) ?? dataSource) === dataSource;
  if (rule && isFirst) sources.set(type, dataSource);
  if (!rule || !isFirst) return yield [{ leftOut: "data source without resource, or part of a merged one" }];
  for await (const points of readJsonItems(file.open())) yield points.flatMap((point) => mapPoint(point, rule));
}

/** Maps a data point: its value is a list of one number. Times are nanoseconds since 1970. */
function mapPoint(
  point: unknown,
  { resource, isInterval, source }: NonNullable<(typeof types)[string]>,
): MappingOutcome[] {
  const { startTimeNanos, endTimeNanos, fitValue } = Object(point);
  const [start, end] = [startTimeNanos, endTimeNanos].map((nanos) => Math.floor(Number(nanos) / 1e6));
  if (!start || !end) return [BAD_DATE];
  const { intVal, fpVal } = Object(Object(Array.isArray(fitValue) ? fitValue[0] : undefined).value);
  const value: unknown = intVal ?? fpVal;
  if (typeof value !== "number") return [BAD_VALUE];
  if (isInterval && (value === 0 || end <= start)) return [{ leftOut: "interval without movement" }];
  const times = isInterval ? { start: formatUtc(start), end: formatUtc(end) } : { timestamp: formatUtc(start) };
  return toOutcomes([
    { source_type: source ?? "phone", resources: { [resource]: [{ ...times, timezone_offset: null, value }] } },
  ]);
}
