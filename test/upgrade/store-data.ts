import { ingestBatch } from "../local/service/ingest/ingest-batch.ts";
import { orderRequest } from "../local/service/orders/order-helpers.ts";
import {
  exampleSleep,
  exampleSleepStream,
  exampleWorkout,
  exampleWorkoutStream,
} from "../local/service/summaries/stream-examples.ts";
import { summaryExamples } from "../local/service/summaries/summary-examples.ts";
import type { TestService } from "../support/service.ts";

/** The responses of a version about its stored data: bodies by interface and path. */
export interface StoredData {
  readonly user_id: string;
  readonly main: Readonly<Record<string, unknown>>;
  readonly management: Readonly<Record<string, unknown>>;
}

const DAYS = "start_date=2026-05-01&end_date=2026-05-02";
const beats = (value: number, hour = 8) =>
  Array.from({ length: 40 }, (_, at) => ({
    timestamp: new Date(Date.UTC(2026, 4, 1, hour, 0, at * 30)).toISOString(),
    value: value + (at % 7),
  }));

/** A batch of a watch that names its device. Versions since e479cc4 store it. */
export const watchBatch = { resources: { heartrate: beats(70, 20) }, about: { device: { id: "watch-1" } } };

/**
 * Stores one resource of each kind through interfaces that every version has.
 * @returns the data as the version reads it.
 */
export async function storeData(service: TestService): Promise<StoredData> {
  const userId = await service.createUser("upgraded");
  await ingestBatch(service, userId, {
    heartrate: beats(60),
    steps: [{ start: "2026-05-01T08:00:00Z", end: "2026-05-01T08:05:00Z", value: 50 }],
  });
  // The second request stores earlier versions of the replaced data.
  await ingestBatch(service, userId, { heartrate: beats(61).slice(0, 5) });
  await ingestBatch(service, userId, watchBatch.resources, watchBatch.about);
  const records = Object.entries(summaryExamples).map(([kind, { record }]) => [kind, [record]]);
  await ingestBatch(service, userId, Object.fromEntries(records), { device: { id: "watch-1" } });
  await ingestBatch(
    service,
    userId,
    {
      workouts: [exampleWorkout],
      workout_stream: [exampleWorkoutStream],
      sleep: [exampleSleep],
      sleep_stream: [exampleSleepStream],
    },
    { source_type: "phone" },
  );
  await service.call("POST", "/v3/order", { body: orderRequest(userId) });
  await service.settle();
  return readData(service, userId);
}

/** Reads the stored data. */
async function readData(service: TestService, userId: string): Promise<StoredData> {
  const { org_id, team_id } = service.identity;
  const read = async (path: string) => (await service.call("GET", path)).body;
  const workouts = await read(`/v2/summary/workouts/${userId}?${DAYS}`);
  const sleeps = await read(`/v2/summary/sleep/${userId}?${DAYS}`);
  const orders = await read("/v3/orders");
  const paths = [
    `/v2/user/${userId}`,
    `/v2/user/resolve/upgraded`,
    `/v2/timeseries/${userId}/heartrate/grouped?${DAYS}`,
    `/v2/timeseries/${userId}/heartrate?${DAYS}`,
    `/v2/timeseries/${userId}/steps/grouped?${DAYS}`,
    ...["activity", "body", "sleep", "workouts", "profile", "meal"].map(
      (kind) => `/v2/summary/${kind}/${userId}?${DAYS}`,
    ),
    ...["activity", "sleep"].map((kind) => `/v2/summary/${kind}/${userId}/raw?${DAYS}`),
    ...workouts.workouts.map(({ id }: { id: string }) => `/v2/timeseries/workouts/${id}/stream`),
    ...sleeps.sleep.map(({ id }: { id: string }) => `/v2/timeseries/sleep/${id}/stream`),
    ...orders.orders.map(({ id }: { id: string }) => `/v3/order/${id}`),
  ];
  const management = [`/v1/org/${org_id}/team`, `/v1/org/${org_id}/team/${team_id}/sandbox/webhook`];
  const bodies = async (list: readonly string[], call: (path: string) => Promise<{ status: number; body: unknown }>) =>
    Object.fromEntries(
      await Promise.all(
        list.map(async (path) => {
          const { status, body } = await call(path);
          if (status !== 200) throw new Error(`${path}: ${status}`);
          return [path, body];
        }),
      ),
    );
  return {
    user_id: userId,
    main: await bodies(paths, (path) => service.call("GET", path)),
    management: await bodies(management, (path) => service.manage("GET", path)),
  };
}
