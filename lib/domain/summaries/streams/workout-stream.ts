import * as z from "zod";
import type { DroppedField, Refusal } from "../../ingest/refusal.ts";
import type { RejectionReason } from "../../ingest/rejection-reasons.ts";
import type { Bounds } from "../../timeseries/resource.ts";
import { workouts } from "../workouts.ts";
import { defineStreamKind, type StreamLists } from "./stream-kind.ts";

/** A measured quantity of a workout, with generous plausibility bounds. */
interface Column {
  readonly description: string;
  readonly bounds: Bounds;
  readonly isWhole?: boolean;
}

/** The columns of a workout stream beside its times, as in the public API. */
const columns: Readonly<Record<string, Column>> = {
  cadence: { description: "Revolutions or steps a minute", bounds: [0, 1_000] },
  altitude: { description: "m above sea level", bounds: [-12_000, 50_000] },
  velocity_smooth: { description: "m/s", bounds: [0, 400] },
  heartrate: { description: "bpm", bounds: [0, 400], isWhole: true },
  lat: { description: "Latitude, degrees north", bounds: [-90, 90] },
  lng: { description: "Longitude, degrees east", bounds: [-180, 180] },
  distance: { description: "m since the start", bounds: [0, 10_000_000] },
  power: { description: "W", bounds: [0, 10_000] },
  resistance: { description: "Resistance of the machine, in its own unit", bounds: [-100_000, 100_000] },
  temperature: { description: "°C", bounds: [-100, 100] },
};

/** Maximum number of points: more than a day at one per second. */
const MAX_POINTS = 100_000;

/** The stream of a workout: lists of equal length with one element per point in time. */
export const workoutStream = defineStreamKind({
  name: "workout_stream",
  of: workouts,
  wire: z
    .object({
      time: z.array(z.int()).describe("Unix time in seconds"),
      ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, wireColumn(column)])),
    })
    .meta({ id: "WorkoutStream" }),
  lists: () => ({
    time: z.array(z.int().min(0)).min(1).max(MAX_POINTS).describe("Unix time in seconds, none before the previous one"),
    ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sentColumn(column)])),
  }),
  read(raw) {
    const time = readTimes(raw.time);
    if ("reason" in time) return time;
    const content: Record<string, readonly unknown[]> = { time };
    const dropped: DroppedField[] = [];
    for (const [name, column] of Object.entries(columns)) {
      const { values, why } = readColumn(column, name, raw[name], time.length);
      content[name] = values;
      if (why) dropped.push(why);
    }
    return { content, ...timeSpan(time), dropped };
  },
});

function wireColumn({ description, isWhole }: Column) {
  const value = isWhole ? z.int() : z.number();
  return z.array(value.nullable()).describe(`${description}; empty if not measured`);
}

/** Schema of a sent list, which is as long as `time`. */
function sentColumn({ description, bounds: [min, max], isWhole }: Column) {
  const value = (isWhole ? z.int() : z.number()).min(min).max(max).nullable();
  return z.array(value).max(MAX_POINTS).nullish().describe(`${description}. As long as time, or empty`);
}

function readTimes(given: unknown): readonly number[] | Refusal {
  const badTime = { field: "time", reason: "bad_time" } as const;
  if (!Array.isArray(given) || given.length === 0) return badTime;
  if (given.length > MAX_POINTS) return { field: "time", reason: "too_large" };
  const isTime = (time: unknown, index: number): boolean =>
    typeof time === "number" && Number.isSafeInteger(time) && time >= (given[index - 1] ?? 0);
  return given.every(isTime) ? given : badTime;
}

interface ReadColumn {
  readonly values: readonly unknown[];
  /** The omitted values, if any. */
  readonly why?: DroppedField;
}

/** Reads a list of `length` values, with null for invalid ones. Empty when nothing was measured. */
function readColumn(column: Column, name: string, given: unknown, length: number): ReadColumn {
  const all = given ?? [];
  if (!Array.isArray(all) || (all.length > 0 && all.length !== length)) {
    return { values: [], why: { field: name, reason: "bad_field" } };
  }
  const reasons = all.map((value) => findRejection(column, value));
  const bad = reasons.filter((reason) => reason !== undefined);
  if (bad[0] === undefined) return { values: all };
  const values = bad.length === length ? [] : all.map((value, index) => (reasons[index] ? null : value));
  return { values, why: { field: name, reason: bad[0], omitted: [bad.length, length] } };
}

function findRejection({ bounds, isWhole }: Column, value: unknown): RejectionReason | undefined {
  if (value === null) return undefined;
  if (typeof value !== "number" || (isWhole && !Number.isInteger(value))) return "bad_value";
  const [min, max] = bounds;
  return value < min || value > max ? "value_out_of_range" : undefined;
}

function timeSpan(time: readonly number[]): Pick<StreamLists, "startMs" | "endMs"> {
  const ms = (seconds = 0) => seconds * 1000;
  return { startMs: ms(time[0]), endMs: ms(time.at(-1)) };
}
