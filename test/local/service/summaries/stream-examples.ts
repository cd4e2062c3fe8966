import { ListObjectsV2Command, S3Client } from "@aws-sdk/client-s3";
import type { TestService } from "../../../support/service.ts";

export const exampleWorkout = {
  provider_id: "run-1",
  time_start: "2026-05-01T06:00:00Z",
  time_end: "2026-05-01T06:40:00Z",
  sport: { id: 1, name: "Running", slug: "running" },
};
export const exampleSleep = {
  provider_id: "night-1",
  bedtime_start: "2026-04-30T23:00:00+02:00",
  bedtime_stop: "2026-05-01T07:00:00+02:00",
};
/** Start of the workout as Unix time in seconds. */
export const WORKOUT_START_S = Date.parse(exampleWorkout.time_start) / 1000;
/** The stream of the workout. */
export const exampleWorkoutStream = {
  provider_id: "run-1",
  time: [WORKOUT_START_S, WORKOUT_START_S + 1, WORKOUT_START_S + 2],
  heartrate: [120, null, 124],
  lat: [52.5, 52.50001, 52.50002],
  lng: [13.4, 13.40001, 13.40002],
  distance: [0, 2.8, 5.6],
};
/** The stream of the sleep. */
export const exampleSleepStream = {
  provider_id: "night-1",
  heartrate: [{ timestamp: "2026-04-30T21:05:00Z", value: 55 }],
  hypnogram: [{ start: "2026-04-30T21:00:00Z", end: "2026-04-30T21:30:00Z", value: 2 }],
};

/** Returns the id of the first workout or sleep of a user. */
export async function readSummaryId(service: TestService, userId: string, kind: "workouts" | "sleep"): Promise<string> {
  return (await service.call("GET", `/v2/summary/${kind}/${userId}?start_date=2026-05-01`)).body[kind][0].id;
}

/** Reads the stream of a workout or sleep. @param key team API key; the first team's key by default. */
export function readStream(service: TestService, kind: "workouts" | "sleep", id: string, key?: string) {
  return service.call("GET", `/v2/timeseries/${kind}/${id}/stream`, key === undefined ? {} : { key });
}

/** Returns the stream events of a user, oldest first. */
export async function streamEvents(service: TestService, userId: string) {
  const bodies = (await service.inbox()).map(({ body }) => body).filter(({ user_id }) => user_id === userId);
  return bodies.filter(({ event_type }) => event_type.includes("stream"));
}

/** Returns the types of events. */
export const eventTypesOf = (events: readonly { event_type: string }[]) => events.map(({ event_type }) => event_type);

/** Lists the names of all stream objects of a user. */
export async function listStreamObjects({ cloud, identity }: TestService, userId: string): Promise<string[]> {
  const { s3, assembly } = cloud;
  const credentials = { accessKeyId: s3.accessKeyId, secretAccessKey: "local" };
  const client = new S3Client({ endpoint: s3.origin, region: assembly.region, credentials, forcePathStyle: true });
  const bucket = assembly.resources.find(({ type, name }) => type === "AWS::S3::Bucket" && name.includes("streams"));
  const Prefix = `${identity.team_id}/${userId}/`;
  const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket?.name, Prefix }));
  client.destroy();
  return Contents.map(({ Key = "" }) => Key);
}
