import { afterAll, beforeAll, expect, test } from "vitest";
import { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";
import { deleteUserKeys } from "./delete-user-keys.ts";

const DAY = "start_date=2026-05-01&end_date=2026-05-01";
const AT = "2026-05-01T08:00:00Z";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

test("reads of a user whose key is lost answer 410, and new data is stored and read", { tags: "deep" }, async () => {
  const user_id = await service.createUser("lost key");
  const workouts = [{ provider_id: "run", title: "A run", time_start: AT, time_end: "2026-05-01T08:30:00Z" }];
  await ingestBatch(service, user_id, { heartrate: [{ timestamp: AT, value: 61 }], workouts });
  await deleteUserKeys(service, service.identity.team_id, user_id);
  await service.advance(61_000);
  for (const path of [`timeseries/${user_id}/heartrate`, `summary/workouts/${user_id}`]) {
    const answer = await service.call("GET", `/v2/${path}?${DAY}`);
    expect(answer, path).toMatchObject({ status: 410, body: { code: "data_unreadable" } });
  }
  await ingestBatch(service, user_id, { glucose: [{ timestamp: AT, value: 5.5 }] });
  const { status, body } = await service.call("GET", `/v2/timeseries/${user_id}/glucose?${DAY}`);
  expect([status, body.map(({ value }: { value: number }) => value)]).toEqual([200, [5.5]]);
});
