import { expect, test } from "vitest";
import type { ContinuousQuery } from "../../../lib/domain/queries/continuous/continuous-query.ts";
import type { Sample } from "../../../lib/domain/timeseries/chunk/sample.ts";
import type { UserRecord } from "../../../lib/domain/users/user.ts";
import type { ChangedDaysMessage } from "../../../lib/events/queries/changed-days-message.ts";
import { announceDeletions } from "../../../lib/services/ingest/announce-deletions.ts";
import type { ChangedSamples } from "../../../lib/services/ingest/store-samples.ts";
import { markChangedDays } from "../../../lib/services/queries/continuous/mark-changed-days.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const DAY_MS = 86_400_000;
const team_id = "0b0e5f0e-1111-4111-8111-0123456789ab";
const user = { user_id: "ada", team_id, fallback_time_zone: { id: "Pacific/Auckland" } } as UserRecord;
const steps = (start: string, changes: Partial<Sample> = {}): Sample => {
  const at = Date.parse(start);
  return { start: at, end: at + 600_000, value: 5, offsetS: null, type: null, ...changes };
};
const deleted = (start: string) => steps(start, { end: undefined, value: null, isDeleted: true } as object);

async function announce(changed: Partial<ChangedSamples>): Promise<ChangedDaysMessage[]> {
  const sent: ChangedDaysMessage[] = [];
  const queryChanges = { send: async (message: unknown) => void sent.push(message as ChangedDaysMessage) };
  const all = { resource: "steps", now: [], before: [], updatedEarlier: [], ...changed } as ChangedSamples;
  const result = { created: 0, updated: 0, unchanged: 0, events: [], refused: [], changed: all };
  await announceDeletions({ queryChanges }, { user, receiptId: "r" }, [result]);
  return sent;
}
const datesOf = (messages: readonly ChangedDaysMessage[]) =>
  messages
    .flatMap(({ days = [] }) => days)
    .map((day) => new Date(day * DAY_MS).toISOString().slice(0, 10))
    .toSorted();

test("a batch names the local days of the samples that it deleted, by the offsets that they had", async () => {
  const start = "2026-11-09T12:00:00Z";
  const kept = steps("2026-10-01T00:00:00Z");
  const messages = await announce({ now: [deleted(start), kept], before: [steps(start, { offsetS: -43_200 }), kept] });
  expect(messages).toMatchObject([{ team_id, user_id: "ada", type: "daily.data.steps.deleted" }]);
  // From 25 hours before midnight of the 9th, where steps of other devices may begin, with a day on each side.
  expect(datesOf(messages)).toEqual(["2026-11-06", "2026-11-07", "2026-11-08", "2026-11-09", "2026-11-10"]);
});

test("a repeated batch, whose deleted samples are lost, names the days around their starts", async () => {
  const messages = await announce({ now: [deleted("2026-11-09T12:00:00Z")] });
  expect(datesOf(messages)).toEqual(["2026-11-08", "2026-11-09", "2026-11-10", "2026-11-11"]);
});

test("a batch that deletes nothing sends nothing", async () => {
  expect(await announce({ now: [steps("2026-11-09T12:00:00Z")] })).toEqual([]);
});

test("the days of deletions join the tasks of the queries of their resource, without an event", async () => {
  const query = (slug: string, timeseries: string) => ({
    id: slug,
    slug,
    status: "active",
    query: {
      select: [{ group_key: "*" }, { func: "sum", arg: { timeseries, field: "value" } }],
      group_by: [{ date_trunc: { value: 1, unit: "day" }, arg: { index: "timeseries" } }],
    },
  });
  const items = [query("walk", "steps"), query("pulse", "heartrate")] as unknown as ContinuousQuery[];
  const recorded: unknown[] = [];
  const fakes = {
    users: { getAnyState: async () => ({ lifecycle: "active" }) },
    outbox: {},
    continuousQueries: { list: async () => ({ items }) },
    queryTasks: {
      recordChangedDays: async (of: { query_slug: string }, days: readonly number[]) => {
        recorded.push([of.query_slug, days]);
        return { ...of };
      },
    },
    queryRuns: { send: async () => {} },
  };
  const [message] = await announce({ now: [deleted("2026-11-09T12:00:00Z")] });
  const deps = fakes as unknown as Parameters<typeof markChangedDays>[2];
  const log = { error: () => {} } as never;
  const grant = (team: string) => TeamScope.grant(team);
  const failures = await markChangedDays([{ message: message as ChangedDaysMessage, log }], grant, deps);
  expect([failures, recorded]).toEqual([[], [["walk", message?.days]]]);
});
