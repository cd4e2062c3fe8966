import type { RawBatch } from "../../domain/ingest/accept-batch.ts";
import { MAX_RECORDS_PER_REQUEST } from "../../domain/ingest/batch.ts";
import { activityRecords, bodyRecords, deviceRecord, profileRecord } from "./day-summaries.ts";
import { createDemoPerson } from "./demo-person.ts";
import { type DeviceDay, recordDay } from "./device-day.ts";
import { type DemoDevice, type DemoResource, demoDeviceId, demoDevices, PHONE_PROVIDER } from "./devices.ts";
import { type DemoRecord, type RecordBuilder, sampleBuilders } from "./sample-records.ts";
import { sleepStreams, workoutStreams } from "./session-streams.ts";
import { sleepRecords, workoutRecords } from "./session-summaries.ts";
import { type SimulatedDay, simulateDay } from "./simulated-day.ts";
import { createZoneCalendar } from "./zone-calendar.ts";

/** The options of demo data. */
export interface DemoRequest {
  /** Source type to generate; default: all. */
  readonly sourceType?: DemoDevice["sourceType"];
  /** Resources to omit. */
  readonly without?: readonly DemoResource[];
  /** Number of whole days before the day of `endMs`; 0 for that day only. */
  readonly days: number;
  /** Epoch ms; excludes data that ends later. */
  readonly endMs: number;
  /** Seed of the person, a 32-bit integer; the same for all devices. */
  readonly seed: number;
  /** IANA time zone of the person; default: UTC. */
  readonly timeZone?: string;
}

/** Record builders of the resources with records per day. */
const recordBuilders: Readonly<Record<Exclude<DemoResource, "profile" | "devices">, RecordBuilder>> = {
  ...sampleBuilders,
  activity: activityRecords,
  sleep: sleepRecords,
  workouts: workoutRecords,
  sleep_stream: sleepStreams,
  workout_stream: workoutStreams,
  body: bodyRecords,
};

/**
 * Generates plausible data of a person's phone and watch, from the local midnight of the first day until `endMs`. A
 * night belongs to the day of waking, so the first night starts before that midnight.
 *
 * The model: a seed determines a person with habits ({@link createDemoPerson}). Person and day number determine a day
 * ({@link simulateDay}): sleep, at most one workout, movement per quarter hour. Each device records the day with its own
 * errors ({@link recordDay}). Samples and summaries derive from the same recording, so they are consistent.
 *
 * Random numbers depend on seed and absolute time only ({@link createSeededRandom}). Requests for overlapping days return the same
 * data for the common days, a later request continues an earlier one, and a repeated request changes nothing. Only the
 * activity of the day of `endMs` is partial.
 *
 * Each batch contains one resource. A resource spans several batches if it exceeds the maximum number of records of a
 * request. Yields one source type after the other.
 * @throws RangeError for an unknown time zone.
 */
export function* generateDemoBatches(request: DemoRequest): Generator<RawBatch> {
  const { sourceType, without = [], seed } = request;
  const lived = simulateDays(request);
  for (const device of demoDevices) {
    if (sourceType !== undefined && device.sourceType !== sourceType) continue;
    const recorded = lived.map((day) => recordDay(device, day, request.endMs));
    for (const resource of device.resources.filter((name) => !without.includes(name))) {
      yield* toBatches(device, seed, resource, buildRecords(resource, recorded, seed));
    }
  }
}

/** Includes the day after the last one, whose night may have started. */
function simulateDays({ days, endMs, seed, timeZone = "UTC" }: DemoRequest): SimulatedDay[] {
  const zone = createZoneCalendar(timeZone);
  const person = createDemoPerson(seed);
  const first = zone.dayAt(endMs) - days;
  return Array.from({ length: days + 2 }, (_, index) => simulateDay(person, zone, first + index));
}

function buildRecords(resource: DemoResource, recorded: readonly DeviceDay[], seed: number): DemoRecord[] {
  if (resource === "devices") return recorded.slice(0, 1).map(({ device }) => deviceRecord(device, seed));
  if (resource === "profile") return recorded.slice(0, 1).map(({ simulatedDay }) => profileRecord(simulatedDay.person));
  return recorded.flatMap(recordBuilders[resource]);
}

function* toBatches(
  device: DemoDevice,
  seed: number,
  resource: DemoResource,
  records: readonly DemoRecord[],
): Generator<RawBatch> {
  for (let sent = 0; sent < records.length; sent += MAX_RECORDS_PER_REQUEST) {
    yield {
      provider: PHONE_PROVIDER,
      source_type: device.sourceType,
      device_id: demoDeviceId(device, seed),
      stage: "historical",
      resources: { [resource]: records.slice(sent, sent + MAX_RECORDS_PER_REQUEST) },
    };
  }
}
