import type * as z from "zod";
import type { Window } from "../connector.ts";
import type { ProviderClient } from "../provider-http.ts";
import * as replies from "./replies.ts";

const TYPES = "https://health.googleapis.com/v4/users/me/dataTypes";
const POINTS_OF_A_PAGE = 10_000;

/** A kind of data: its name in addresses, the time by which it is asked for, and the shape of its values. */
export interface Kind<S extends z.ZodType> {
  readonly name: string;
  readonly time:
    | "interval.start_time"
    | "interval.end_time"
    | "interval.civil_start_time"
    | "sample_time.physical_time"
    | "date";
  /** Whether it is read as each device told it, under its own name, and not as Google has settled it. */
  readonly isByDevice?: boolean;
  readonly value: S;
}

/** A value and the name of its point, which only points of devices have. */
interface Point<V> {
  readonly name: string | undefined;
  readonly value: V;
}

/** Every page of the points of a kind within a window; a point of another shape is left out and named. */
export async function* pointsOf<S extends z.ZodType>(
  client: ProviderClient,
  { name, time, isByDevice = false, value: schema }: Kind<S>,
  { startMs, endMs }: Window,
): AsyncGenerator<Point<z.output<S>>[]> {
  const [first, last] = boundsOf(time, { startMs, endMs });
  const member = `${name.replaceAll("-", "_")}.${time}`;
  const filter = `${member} >= "${first}" AND ${member} < "${last}"`;
  const field = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  let pageToken: string | undefined;
  do {
    const url = `${TYPES}/${name}/dataPoints${isByDevice ? "" : ":reconcile"}`;
    const page = await client.get(url, replies.page, { filter, pageSize: POINTS_OF_A_PAGE, pageToken });
    yield page.dataPoints.flatMap((point) => {
      const value = client.readRecord(point[field], schema, name);
      return value === undefined ? [] : [{ name: point.name ?? undefined, value }];
    });
    pageToken = page.nextPageToken || undefined;
  } while (pageToken !== undefined);
}

/** No place is further from UTC than this. */
const MOST_OFFSET_MS = 14 * 3_600_000;

/** A window as filters write it. Times of the user's clocks may be that of any place, so the window is wider then. */
function boundsOf(time: Kind<z.ZodType>["time"], { startMs, endMs }: Window): readonly string[] {
  const iso = (ms: number) => new Date(ms).toISOString();
  if (time === "date") return [startMs, endMs].map((ms) => iso(ms).slice(0, 10));
  if (time !== "interval.civil_start_time") return [startMs, endMs].map(iso);
  return [startMs - MOST_OFFSET_MS, endMs + MOST_OFFSET_MS].map((ms) => iso(ms).slice(0, 19));
}

/** All values of a kind within a window. */
export async function valuesOf<S extends z.ZodType>(client: ProviderClient, kind: Kind<S>, window: Window) {
  const all: z.output<S>[] = [];
  for await (const page of pointsOf(client, kind, window)) all.push(...page.map(({ value }) => value));
  return all;
}
