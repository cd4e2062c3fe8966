import { expect, test } from "vitest";
import { ingestionBounds } from "../../../lib/domain/ingest/ingestion-bounds.ts";
import { aggregationQuery } from "../../../lib/domain/queries/aggregation-query.ts";
import { evaluateQuery } from "../../../lib/domain/queries/evaluation/evaluate-query.ts";
import type { SummaryRow } from "../../../lib/domain/queries/rows/rows.ts";
import { toRawDatedSummary } from "../../../lib/domain/summaries/raw-summary.ts";
import { sleep } from "../../../lib/domain/summaries/sleep.ts";
import { START_OFFSET } from "../../../lib/domain/summaries/start-offset.ts";
import { toWireSummary } from "../../../lib/domain/summaries/summary-kind.ts";
import { wireSourceOf } from "../../../lib/runtime/wire-source.ts";
import { readRows } from "../../../lib/services/queries/read-rows.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const source = wireSourceOf({ provider: "oura", type: "ring" });
const frame = { id: "id", user_id: "ada", created_at: "", updated_at: "" };

function fieldsOf(bedtime_start: string, bedtime_stop: string) {
  const context = { receivedAt: Date.parse("2026-12-01T00:00:00Z"), bounds: ingestionBounds(null, null) };
  const accepted = sleep.accept({ bedtime_start, bedtime_stop, latency: 600 }, context);
  if (!("ok" in accepted)) throw new Error("refused");
  return accepted.ok.fields;
}

const nights = [
  [
    "clocks go back",
    "2026-10-31T23:00:00-07:00",
    "2026-11-01T06:30:00-08:00",
    ["2026-10-31T23:00:00", "2026-10-31T23:10:00", "2026-11-01T06:30:00"],
  ],
  [
    "a flight",
    "2026-11-10T22:00:00-08:00",
    "2026-11-11T22:00:00+09:00",
    ["2026-11-10T22:00:00", "2026-11-10T22:10:00", "2026-11-11T22:00:00"],
  ],
  [
    "a quiet night",
    "2026-11-10T22:00:00-08:00",
    "2026-11-11T06:00:00-08:00",
    ["2026-11-10T22:00:00", "2026-11-10T22:10:00", "2026-11-11T06:00:00"],
  ],
] as const;

test.each(nights)("times of a sleep are the user's clock time: %s", async (_, start, stop, times) => {
  const record = { ...frame, fields: fieldsOf(start, stop), provider: "oura", source_type: "ring" };
  const stores = { chunks: {}, summaries: { list: async () => [record] } } as never;
  const days = { first: 0, last: 1 };
  const reading = { scope: TeamScope.grant("team"), userId: "ada", priorities: { overrides: [], providers: {} } };
  const floatingOf = (ms: number, offsetS: number) => ms + offsetS * 1000;
  const set = await readRows(stores, { ...reading, floatingOf }, "sleep", days);
  const read = (column: string) => new Date(Number(set.cell(column)(0))).toISOString().slice(0, 19);
  expect([read("session_start"), read("asleep_at"), read("session_end")]).toEqual(times);
});

test("a sleep of an earlier version has the offset of its end", () => {
  const [, start, stop] = nights[0];
  const row = { ...fieldsOf(start, stop), source: { provider: "oura", type: "ring" } };
  const query = aggregationQuery.parse({ select: [{ sleep: "session_start" }] });
  const timeframe = { from: "2026-10-01T00:00:00", to: "2026-12-01T00:00:00" };
  const ask = (sleepRow: SummaryRow) =>
    evaluateQuery(
      { ...query, timeframe, time_zone: "UTC" },
      { timeseries: {}, summaries: { sleep: [sleepRow] }, priorities: { overrides: [], providers: {} } },
    );
  expect(ask(row)).toEqual({ session_start: ["2026-10-31T23:00:00"] });
  expect(ask({ ...row, [START_OFFSET]: undefined })).toEqual({ session_start: ["2026-10-31T22:00:00"] });
});

test("responses contain one offset, that of the end", () => {
  const [, start, stop] = nights[0];
  const fields = fieldsOf(start, stop);
  expect([fields[START_OFFSET], fields.timezone_offset]).toEqual([-25_200, -28_800]);
  expect(toWireSummary(sleep, fields, frame as never, source)).not.toHaveProperty(START_OFFSET);
  const raw = toRawDatedSummary(sleep, { ...frame, fields, provider_id: null } as never, source);
  expect(raw.data).not.toHaveProperty(START_OFFSET);
  const [, quietStart, quietStop] = nights[2];
  expect(fieldsOf(quietStart, quietStop)).not.toHaveProperty(START_OFFSET);
});
