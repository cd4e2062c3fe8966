// @module-tag deep
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, TestService } from "../../../support/service.ts";
import { connectAccount, setPullDays } from "../connections/link-helpers.ts";

let service: TestService;
beforeAll(async () => {
  service = await TestService.start();
});
afterAll(() => service.stop());

const HOUR_MS = 3_600_000;
const DAYS = 60;
const byDay = {
  select: [{ group_key: "*" }, { func: "mean", arg: { sleep: "efficiency" } }],
  group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "sleep" } }],
};

/** Creates a team with a continuous query and a user whose history is being pulled. */
async function teamWithHistory(name: string, work_per_second: number) {
  const { org_id } = service.identity;
  const { teamId, key } = await service.createTeam(name);
  const limits = `/v1/org/${org_id}/team/${teamId}/limits`;
  expect((await service.manage("PUT", limits, { body: { work_per_second } })).status).toBe(200);
  const query = { slug: "sleep-by-day", title: "Sleep by day", query: byDay };
  const path = `/v1/org/${org_id}/team/${teamId}/sandbox/continuous_query`;
  expect((await service.manage("POST", path, { body: query })).status).toBe(201);
  await setPullDays(service, DAYS, "oura", teamId);
  const userId = await service.createUser(`of ${name}`, key);
  await connectAccount(service, userId, "ada", "oura", key);
  return { key, userId };
}

interface Held {
  readonly key: string;
  readonly userId: string;
}

/** Reads a path once the budget of the team allows it. */
async function read({ key }: Held, path: string): Promise<Answer["body"]> {
  for (;;) {
    const answer = await service.call("GET", path, { key });
    if (answer.status === 200) return answer.body;
    expect(answer.status).toBe(429);
    await service.advance(Number(answer.headers.get("retry-after")) * 1000);
  }
}

/** Returns the statuses of the histories of a user. */
async function statuses(of: Held): Promise<string[]> {
  const { data } = await read(of, `/v2/introspect/historical_pull?user_id=${of.userId}`);
  return Object.values<{ status: string }>(data[0].provider.oura.pulled).map(({ status }) => status);
}

/** Returns the nights of a user and the days for which the query has a row. */
async function nightsAndRows(of: Held) {
  const { sleep } = await read(of, `/v2/summary/sleep/${of.userId}?start_date=2020-01-01`);
  const { table } = await read(of, `/aggregate/v1/user/${of.userId}/continuous_query/sleep-by-day/result_table`);
  const nights = sleep.map(({ calendar_date }: { calendar_date: string }) => calendar_date);
  return { nights: nights.toSorted() as string[], rows: table["group_key.0"] as string[] };
}

test("pulls and continuous queries wait while the budget of a team is exhausted, and all of them finish", async () => {
  const rich = await teamWithHistory("Rich", 1_000_000);
  const poor = await teamWithHistory("Poor", 1);
  await service.settle();
  expect(new Set(await statuses(rich))).toEqual(new Set(["success"]));
  expect((await statuses(poor)).some((status) => status !== "success")).toBe(true);
  for (let hour = 0; hour < 24 && (await statuses(poor)).some((status) => status !== "success"); hour++) {
    expect(await statuses(poor)).not.toContain("failure");
    await service.advance(HOUR_MS);
  }
  expect(new Set(await statuses(poor))).toEqual(new Set(["success"]));
  await service.advance(2 * HOUR_MS);
  const [of, asked] = [await nightsAndRows(rich), await nightsAndRows(poor)];
  const whole = DAYS - 5;
  expect([of.nights.length, of.rows.length].every((count) => count > whole)).toBe(true);
  expect(asked.nights).toEqual(expect.arrayContaining(of.nights.slice(0, whole)));
  expect(asked.rows).toEqual(expect.arrayContaining(of.rows.slice(0, whole)));
});
