import type { RawBatch } from "../../domain/acceptance.ts";
import { MOST_RECORDS } from "../../domain/batch.ts";
import { activityRecords, bodyRecords, deviceRecord, profileRecord } from "./day-summaries.ts";
import { type DeviceDay, recordDay } from "./device-day.ts";
import { type DemoDevice, type DemoResource, demoDevices, deviceIdOf, PHONE_PROVIDER } from "./devices.ts";
import { type LivedDay, livedDay } from "./lived-day.ts";
import { personOf } from "./person.ts";
import { type DemoRecord, type Recorder, sampleRecorders } from "./sample-records.ts";
import { sleepStreams, workoutStreams } from "./session-streams.ts";
import { sleepRecords, workoutRecords } from "./session-summaries.ts";
import { zoneDays } from "./zone-days.ts";

/** Which demo data to make. */
export interface DemoRequest {
  /** Only that of this kind of source; by default of all that there are. */
  readonly sourceType?: DemoDevice["sourceType"];
  /** What is left out of that. */
  readonly without?: readonly DemoResource[];
  /** Whole days before that of `endMs`; 0 for this day alone. */
  readonly days: number;
  /** Epoch ms; nothing that ended later is told. */
  readonly endMs: number;
  /** Which person: a 32-bit integer. The person is the same for all devices. */
  readonly seed: number;
  /** IANA time zone in which the person lives, UTC by default. */
  readonly timeZone?: string;
}

/** Resources that are told day by day. */
const recorders: Readonly<Record<Exclude<DemoResource, "profile" | "devices">, Recorder>> = {
  ...sampleRecorders,
  activity: activityRecords,
  sleep: sleepRecords,
  workouts: workoutRecords,
  sleep_stream: sleepStreams,
  workout_stream: workoutStreams,
  body: bodyRecords,
};

/**
 * Believable data of a person, as their phone and watch have collected it: the last days from the midnight (where the person
 * lives) that begins them until `endMs`. A night belongs to the day of waking, so the first one begins before that.
 *
 * The model: a seed makes a person (person.ts) with habits, a day number and the person make a day as it was lived
 * (lived-day.ts: sleep, at most one workout, quarters of an hour of movement), each device records it with errors of
 * its own (device-day.ts), and samples and summaries are both made of that recording, so that they agree. Chance hangs
 * on seed and absolute time alone (draws.ts): a request for other days tells the same of the days in common, a later
 * one continues, and sending one again changes nothing. Only the activity of the day of `endMs` is a sum so far.
 *
 * Each batch has one resource, wholly unless that has more records than a request may carry; resources without any
 * record have none. Yields the kinds of source one after the other.
 * @throws RangeError when the time zone is unknown.
 */
export function* demoBatches(request: DemoRequest): Generator<RawBatch> {
  const { sourceType, without = [], seed } = request;
  const lived = livedDays(request);
  for (const device of demoDevices) {
    if (sourceType !== undefined && device.sourceType !== sourceType) continue;
    const recorded = lived.map((day) => recordDay(device, day, request.endMs));
    for (const resource of device.resources.filter((name) => !without.includes(name))) {
      yield* batchesOf(device, seed, resource, recordsOf(resource, recorded, seed));
    }
  }
}

/** With the day after the last: its night may have begun. */
function livedDays({ days, endMs, seed, timeZone = "UTC" }: DemoRequest): LivedDay[] {
  const zone = zoneDays(timeZone);
  const person = personOf(seed);
  const first = zone.dayOf(endMs) - days;
  return Array.from({ length: days + 2 }, (_, index) => livedDay(person, zone, first + index));
}

function recordsOf(resource: DemoResource, recorded: readonly DeviceDay[], seed: number): DemoRecord[] {
  if (resource === "devices") return recorded.slice(0, 1).map(({ device }) => deviceRecord(device, seed));
  if (resource === "profile") return recorded.slice(0, 1).map(({ lived }) => profileRecord(lived.person));
  return recorded.flatMap(recorders[resource]);
}

function* batchesOf(
  device: DemoDevice,
  seed: number,
  resource: DemoResource,
  records: readonly DemoRecord[],
): Generator<RawBatch> {
  for (let sent = 0; sent < records.length; sent += MOST_RECORDS) {
    yield {
      provider: PHONE_PROVIDER,
      source_type: device.sourceType,
      device_id: deviceIdOf(device, seed),
      stage: "historical",
      resources: { [resource]: records.slice(sent, sent + MOST_RECORDS) },
    };
  }
}
