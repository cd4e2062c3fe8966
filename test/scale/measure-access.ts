import type { AccessCounts, ActionCounts } from "../../lib/cli/scale/access-counts.ts";
import { connectAccount, setPullDays } from "../local/service/connections/link-helpers.ts";
import { ingestBatch, sendBatch } from "../local/service/ingest/ingest-batch.ts";
import { fourResources } from "../local/service/ingest/sync-cost.ts";
import type { TestService } from "../support/service.ts";
import { AccessRecorder } from "./access-recorder.ts";
import { averageCounts } from "./average-counts.ts";
import { measureStoredBytes } from "./measure-stored-bytes.ts";

const USERS = 16;
/** Users with a connection to a provider that is polled every hour. */
const POLLED_USERS = 4;
const POLLED_PROVIDER = "dexcom_v3";
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SYNC_MS = 300_000;
const FIRST_SYNC = "2026-05-01T08:00:00Z";
const SECOND_SYNC = "2026-05-01T08:05:00Z";

/** Counts what a sync, a read of a day and a poll of a connection touch, through the running service. */
export async function measureAccess(service: TestService): Promise<AccessCounts> {
  const recorder = new AccessRecorder(service);
  const users: string[] = [];
  for (let number = 0; number < USERS; number++) users.push(await service.createUser(`scale ${number}`));
  for (const user of users) await ingestBatch(service, user, fourResources(FIRST_SYNC));
  await service.advance(SYNC_MS);
  const sync = await measureSync(service, recorder, users);
  const read = await measureRead(service, recorder, users);
  return { sync, read, poll: await measurePoll(service, recorder, users.slice(0, POLLED_USERS)) };
}

async function measureSync(
  service: TestService,
  recorder: AccessRecorder,
  users: readonly string[],
): Promise<ActionCounts> {
  const before = await measureStoredBytes(service);
  const recorded = await recorder.record(async () => {
    for (const user of users) {
      const { status } = await sendBatch(service, user, fourResources(SECOND_SYNC));
      if (status !== 202) throw new Error(`not accepted: ${status}`);
      await service.settle();
    }
  });
  const stored = { before, after: await measureStoredBytes(service) };
  return averageCounts(service, recorded, { users, count: users.length, stored });
}

/** A read of a day of samples and of a day's summary are two actions. */
async function measureRead(service: TestService, recorder: AccessRecorder, users: readonly string[]) {
  const day = "start_date=2026-05-01&end_date=2026-05-01";
  const recorded = await recorder.record(async () => {
    for (const user of users)
      for (const path of [`/v2/timeseries/${user}/heartrate/grouped`, `/v2/summary/activity/${user}`]) {
        const { status } = await service.call("GET", `${path}?${day}`);
        if (status !== 200) throw new Error(`not read: ${status}`);
      }
  });
  return averageCounts(service, recorded, { users, count: 2 * users.length });
}

/** What a poll finds depends on the time of day, so each measurement polls at the same hour. */
async function measurePoll(service: TestService, recorder: AccessRecorder, users: readonly string[]) {
  await service.advance(DAY_MS - (service.cloud.clock.now() % DAY_MS));
  await setPullDays(service, 2, POLLED_PROVIDER);
  for (const [place, user] of users.entries()) await connectAccount(service, user, `scale-${place}`, POLLED_PROVIDER);
  await service.settle();
  await service.advance(3 * HOUR_MS);
  const recorded = await recorder.record(async () => void (await service.advance(HOUR_MS)));
  const polls = recorded.invocations.get(nameOfPull(recorded.invocations)) ?? 0;
  if (polls !== users.length) throw new Error(`${polls} polls of ${users.length} connections`);
  return averageCounts(service, recorded, { users, count: polls });
}

const nameOfPull = (invocations: ReadonlyMap<string, number>): string =>
  [...invocations.keys()].find((name) => name.includes("pullConnection")) ?? "";
