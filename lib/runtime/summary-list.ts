import { dateRange } from "../domain/date-range.ts";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import { toWireSummary } from "../domain/summaries/summary-kind.ts";
import type { RangeQuery } from "../domain/timeseries/query.ts";
import type { SummaryRecord, SummaryStore } from "../store/summaries.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { ValidationFailed } from "./errors.ts";
import { wireSourceOf } from "./wire-source.ts";

/** A stored summary as answered. */
export function wireSummaryOf(record: SummaryRecord) {
  return toWireSummary(record.fields, record, wireSourceOf({ provider: record.provider, type: record.source_type }));
}

/** The summaries of one kind whose calendar date lies in the queried range. */
export async function listSummaries(
  summaries: SummaryStore,
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  query: RangeQuery,
) {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range === "string")
    throw ValidationFailed.at(["query", range], "Not a date or ISO 8601 date-time, or before start_date");
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const found = await summaries.list(scope, userId, kind, { from: day(range.fromMs), to: day(range.toMs) });
  return found.filter(({ provider }) => query.provider === "" || provider === query.provider).map(wireSummaryOf);
}
