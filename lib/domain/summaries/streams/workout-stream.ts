import * as z from "zod";
import type { DroppedField } from "../../ingest/dropped-field.ts";
import type { RejectionReason } from "../../ingest/rejection-reasons.ts";
import type { Bounds } from "../../timeseries/resource.ts";
import { workouts } from "../workouts.ts";
import { defineStreamKind, type StreamLists, toOmittedField } from "./stream-kind.ts";

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
  read(raw) {
    const time = readTimes(raw.time);
    if (typeof time === "string") return time;
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

function readTimes(given: unknown): readonly number[] | RejectionReason {
  if (!Array.isArray(given) || given.length === 0) return "bad_time";
  if (given.length > MAX_POINTS) return "too_large";
  const isTime = (time: unknown, index: number): boolean =>
    typeof time === "number" && Number.isSafeInteger(time) && time >= (given[index - 1] ?? 0);
  return given.every(isTime) ? given : "bad_time";
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
    const detail = "Expected a list as long as time";
    return { values: [], why: { field: name, reason: "bad_field", detail } };
  }
  const reasons = all.map((value) => findRejection(column, value));
  const bad = reasons.filter((reason) => reason !== undefined);
  if (bad[0] === undefined) return { values: all };
  const values = bad.length === length ? [] : all.map((value, index) => (reasons[index] ? null : value));
  return { values, why: toOmittedField(name, bad[0], bad.length, length) };
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
