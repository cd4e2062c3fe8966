import { expect } from "vitest";
import type { TestService } from "../../../support/service.ts";
import { ingestBatch } from "../ingest/ingest-batch.ts";

const DAY = { value: 1, unit: "day" };
const counted = (table: string, arg: object) => ({
  select: [{ group_key: "*" }, { func: "count", arg }],
  group_by: [{ date_trunc: DAY, arg: { index: table } }],
});
const heartrate = counted("timeseries", { timeseries: "heartrate", field: "value" });
const workouts = counted("workout", { workout: "title" });
const sleep = counted("sleep", { sleep: "id" });

/**
 * Calls every query route and computes results twice, so that one result loses a row.
 * @param forget makes functions read keys again.
 */
export async function callAggregateRoutes(service: TestService, forget: () => Promise<unknown>): Promise<void> {
  const call = async (method: string, path: string, body?: object) => {
    await forget();
    const answer = await service.call(method, path, body ? { body } : {});
    expect([method, path, answer.status]).toEqual([method, path, 200]);
    return answer.body;
  };
  const { org_id, team_id } = service.identity;
  const queries = `/v1/org/${org_id}/team/${team_id}/sandbox/continuous_query`;
  for (const [slug, query] of Object.entries({ heartrate, workouts, sleep }))
    expect((await service.manage("POST", queries, { body: { slug, title: slug, query } })).status).toBe(201);
  await call("PATCH", "/v2/team/source/priorities", [{ data_type: "sleep", provider: "oura", priority: 1 }]);
  await call("GET", "/v2/team/source/priorities");
  const user = await service.createUser("asked about");
  const [time_start, time_end] = ["2026-05-01T06:00:00Z", "2026-05-01T06:30:00Z"];
  const sample = { timestamp: "2026-05-01T01:00:00Z", value: 60 };
  await ingestBatch(service, user, {
    heartrate: [{ ...sample, timezone_offset: 0 }],
    workouts: [{ provider_id: "w", time_start, time_end }],
    sleep: [{ bedtime_start: time_start, bedtime_stop: time_end }],
  });
  await service.advance(180_000);
  // The new offset moves the sample to another day, and the row of the earlier day is gone.
  await ingestBatch(service, user, { heartrate: [{ ...sample, timezone_offset: -18_000 }] });
  await service.advance(3_600_000);
  const timeframe = { type: "relative", anchor: "2026-05-02", past: { value: 1, unit: "week" } };
  await call("POST", `/aggregate/v1/user/${user}/query`, { timeframe, queries: [heartrate, workouts, sleep] });
  for (const kind of ["activity", "sleep", "workouts", "body"])
    await call("GET", `/v2/summary/${kind}/${user}?start_date=2026-05-01&explain=true`);
  const [{ id }] = (await service.manage("GET", queries)).body.data.filter(
    (one: { slug: string }) => one.slug === "heartrate",
  );
  for (const named of [id, "heartrate"]) {
    const result = `/aggregate/v1/user/${user}/continuous_query/${named}`;
    expect(await call("GET", `${result}/result_table`)).toEqual({
      table: { "group_key.0": ["2026-04-30T00:00:00"], "count.value": [1] },
    });
    await call("GET", `${result}/task_history`);
  }
}
