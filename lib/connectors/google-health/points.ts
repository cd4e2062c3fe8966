import type * as z from "zod";
import type { TimeWindow } from "../connector.ts";
import type { PulledRecorder } from "../group-by-recorder.ts";
import type { ProviderClient } from "../provider-client.ts";
import * as replies from "./replies.ts";

const TYPES = "https://health.googleapis.com/v4/users/me/dataTypes";
const POINTS_PER_PAGE = 10_000;

/** A data type of the API: its name in URLs, the time field of filters, and the schema of its values. */
export interface DataType<S extends z.ZodType> {
  readonly name: string;
  readonly time:
    | "interval.start_time"
    | "interval.end_time"
    | "interval.civil_start_time"
    | "sample_time.physical_time"
    | "date";
  /** True to list the raw points of each device; false to list Google's reconciled points. */
  readonly isByDevice?: boolean;
  readonly value: S;
}

/** A value with the resource name and the recorder of its data point; only raw points have them. */
interface Point<V> {
  readonly name: string | undefined;
  readonly recorder: PulledRecorder;
  readonly value: V;
}

/** Lists the data points in a window, page by page. Drops and reports points that violate the schema. */
export async function* listPoints<S extends z.ZodType>(
  client: ProviderClient,
  { name, time, isByDevice = false, value: schema }: DataType<S>,
  { startMs, endMs }: TimeWindow,
): AsyncGenerator<Point<z.output<S>>[]> {
  const [first, last] = filterBounds(time, { startMs, endMs });
  const member = `${name.replaceAll("-", "_")}.${time}`;
  const filter = `${member} >= "${first}" AND ${member} < "${last}"`;
  const field = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  let pageToken: string | undefined;
  do {
    const url = `${TYPES}/${name}/dataPoints${isByDevice ? "" : ":reconcile"}`;
    const page = await client.get(url, replies.page, { filter, pageSize: POINTS_PER_PAGE, pageToken });
    yield (page.dataPoints ?? []).flatMap((point) => {
      const value = client.readRecord(point[field], schema, name);
      return value === undefined
        ? []
        : [{ name: point.name ?? undefined, recorder: toRecorder(point.dataSource), value }];
    });
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined);
}

/** Google names devices by their display names. */
const toRecorder = (source: replies.DataSource | null | undefined): PulledRecorder => ({
  device_id: source?.device?.displayName,
  app_id: source?.application?.packageName,
});

/** The largest UTC offset of any time zone. */
const MAX_UTC_OFFSET_MS = 14 * 3_600_000;

/** Formats a window for a filter. Civil times have no known offset, so the window widens by the largest offset. */
function filterBounds(time: DataType<z.ZodType>["time"], { startMs, endMs }: TimeWindow): readonly string[] {
  const iso = (ms: number) => new Date(ms).toISOString();
  if (time === "date") return [startMs, endMs].map((ms) => iso(ms).slice(0, 10));
  if (time !== "interval.civil_start_time") return [startMs, endMs].map(iso);
  return [startMs - MAX_UTC_OFFSET_MS, endMs + MAX_UTC_OFFSET_MS].map((ms) => iso(ms).slice(0, 19));
}

/** Lists all values in a window. */
export async function listValues<S extends z.ZodType>(client: ProviderClient, kind: DataType<S>, window: TimeWindow) {
  const all: z.output<S>[] = [];
  for await (const page of listPoints(client, kind, window)) all.push(...page.map(({ value }) => value));
  return all;
}
