import { expect, test, vi } from "vitest";
import * as z from "zod";
import type { PulledProvider } from "../../../../lib/connectors/connector.ts";
import { findPulledProvider } from "../../../../lib/connectors/connectors.ts";
import { ProviderClient } from "../../../../lib/connectors/provider-client.ts";
import { ProviderUnavailable, UnreadableAnswer } from "../../../../lib/connectors/provider-error.ts";
import { readPushTolerantly, readTolerantly } from "../../../../lib/connectors/tolerant-reader.ts";
import { acceptBatch } from "../../../../lib/domain/ingest/accept-batch.ts";
import type { DroppedField } from "../../../../lib/domain/ingest/refusal.ts";
import { newUser } from "../../../../lib/domain/users/user.ts";
import { formatFieldCounts, pullBatches } from "../../../../lib/services/connections/pulls/pull-batches.ts";

const nowMs = Date.UTC(2026, 4, 20);
const window = { startMs: nowMs - 86_400_000, endMs: nowMs };
const user = newUser({ client_user_id: "ada" }, { userId: "user", teamId: "team" }, "2026-01-01T00:00:00.000Z");

/** Pulls a resource with this response to every request. @returns accepted batches, dropped fields and rejections. */
async function kept(slug: string, resource: string, answerOf: (url: string) => unknown) {
  const connector = (await findPulledProvider(slug)) as PulledProvider;
  const left: string[] = [];
  const client = new ProviderClient({
    fetch: async (url) => Response.json(answerOf(url)),
    accessToken: async () => "token",
    now: () => nowMs,
    accountId: "ada",
    onDropped: (dropped) => left.push(...dropped.map(({ field }) => field)),
  });
  const batches = [];
  for await (const { source_type, resources } of connector.pull(resource, window, client))
    batches.push(acceptBatch({ provider: slug, source_type, device_id: null, stage: "daily", resources }, user, nowMs));
  const rejected = batches.flatMap((one) => one.rejected.map(({ effect, field }) => `${effect} ${field}`));
  return { batches, left, rejected };
}

const startdate = Date.UTC(2026, 4, 19, 8) / 1000;
const workout = (id: number, odd: object = {}) => ({
  ...{ id, category: 2, timezone: "Europe/Paris", startdate: startdate + id * 60, enddate: startdate + id * 60 + 30 },
  data: { calories: 12, hr_average: 120, hr_max: 140 },
  ...odd,
});

test("a malformed record or field leaves the other records and fields in place", async () => {
  const series = [
    workout(1, { data: { hr_average: 0, hr_max: 150, calories: 7 } }),
    workout(2, { startdate: "yesterday" }),
    workout(3, { startdate: 1e17, enddate: 1e17 + 1 }),
    workout(4, { timezone: "Mars/Olympus" }),
    workout(5, { data: { calories: "many", hr_average: 99 } }),
    null,
    workout(7),
  ];
  const { batches, left, rejected } = await kept("withings", "workouts", () => ({ status: 0, body: { series } }));
  const workouts = batches.flatMap(({ batch }) => batch.summaries.workouts ?? []);
  expect(workouts.map(({ key }) => key)).toEqual(["1", "4", "5", "7"]);
  expect(workouts[0]?.fields).toMatchObject({ average_hr: null, max_hr: 150, calories: 7 });
  expect(workouts[2]?.fields).toMatchObject({ average_hr: 99, calories: null });
  expect(left.sort()).toEqual(["body.series.1", "body.series.4.data.calories"]);
  expect(rejected).toEqual(["field_dropped average_hr", "record_rejected time_start"]);
});

test("a date with single-digit month or day parses", async () => {
  const activities = [
    { date: "2026-5-9", steps: 5 },
    { date: "2026-05-10", steps: 6, hr_average: 0, hr_max: 120 },
  ];
  const { batches } = await kept("withings", "activity", () => ({ status: 0, body: { activities } }));
  const days = batches.flatMap(({ batch }) => batch.summaries.activity ?? []);
  expect(days.map(({ fields }) => [fields.calendar_date, fields.steps])).toEqual([
    ["2026-05-09", 5],
    ["2026-05-10", 6],
  ]);
});

test("a night without stages or with a malformed stage is stored", async () => {
  const bedtime_start = startdate - 8 * 3600;
  const night = (odd: object) => ({ type: "Sleep", object: { bedtime_start, bedtime_end: startdate, ...odd } });
  const sleepOf = async (odd: object) => {
    const answer = { data: { metric_data: [night(odd)] } };
    const { batches } = await kept("ultrahuman", "activity", () => answer);
    return batches.flatMap(({ batch }) => batch.summaries.sleep ?? []);
  };
  for (const odd of [{ sleep_graph: [] }, { sleep_graph: { data: [{ start: "?" }] } }, { score: [] }])
    expect([odd, (await sleepOf(odd)).length > 0]).toEqual([odd, true]);
  const graded = { score: { score: 80 }, quick_metrics: [{ type: "sleep_efic", value: "n/a" }] };
  expect((await sleepOf(graded))[0]?.fields).toMatchObject({ score: 80, efficiency: null });
});

test("a malformed list of records or page token makes the response unreadable", () => {
  const page = z.object({ items: z.array(z.object({ id: z.number() })), next_token: z.string().nullish() });
  const read = (payload: unknown) => readTolerantly(payload, page);
  expect(read({ items: [{ id: 1 }, { id: "2" }], next_token: "more" })).toEqual({
    items: [{ id: 1 }],
    next_token: "more",
  });
  for (const payload of [undefined, [], { items: "none" }, { items: [], next_token: 5 }])
    expect(() => read(payload)).toThrow(ProviderUnavailable);
});

test("a malformed push leaves the other pushes in place", () => {
  const pushed = z.array(z.object({ ownerId: z.string() }));
  expect(readPushTolerantly('[{"ownerId":"a"},{"ownerId":5},{},{"ownerId":"b"}]', pushed)).toEqual([
    { ownerId: "a" },
    { ownerId: "b" },
  ]);
  expect(() => readPushTolerantly('{"ownerId":"a"}', pushed)).toThrow(SyntaxError);
});

test("unreadable data has its own error type, and other errors pass through unchanged", async () => {
  const pull = vi.fn();
  const connector = { pull } as unknown as PulledProvider;
  const drained = async (error: Error) => {
    // biome-ignore lint/correctness/useYield: it throws first
    pull.mockImplementation(async function* () {
      throw error;
    });
    for await (const batch of pullBatches(connector, "sleep", { window }, {} as ProviderClient)) throw batch;
  };
  await expect(drained(new RangeError("Invalid time value"))).rejects.toThrow(UnreadableAnswer);
  await expect(drained(new ProviderUnavailable("down"))).rejects.toThrow(ProviderUnavailable);
  await expect(drained(new Error("the table is slow"))).rejects.toThrow("the table is slow");
});

test("logs name dropped fields without their index or content", () => {
  const at = (field: string): DroppedField => ({ field, reason: "bad_field" });
  expect(
    formatFieldCounts([at("series.3.data.hr"), at("series.12.data.hr"), { field: null, reason: "bad_time" }]),
  ).toBe("series.*.data.hr bad_field: 2, bad_time: 1");
  expect(formatFieldCounts([{ ...at("stage_type.4"), effect: "record_rejected" }])).toBe(
    "record with stage_type.* bad_field: 1",
  );
});
