import { dateRange } from "../domain/date-range.ts";
import { toRawSummary, toRawSummaryOfDay } from "../domain/summaries/raw-summary.ts";
import type { SummaryKind } from "../domain/summaries/summary-kind.ts";
import { toWireSummary } from "../domain/summaries/summary-kind.ts";
import type { AsOf, RangeQuery } from "../domain/timeseries/query.ts";
import type { SummaryStore } from "../store/summaries.ts";
import type { SummaryRecord } from "../store/summary-record.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { asOfMs } from "./as-of.ts";
import { ValidationFailed } from "./errors.ts";
import { wireSourceOf } from "./wire-source.ts";

const sourceOf = ({ provider, source_type, device_id }: SummaryRecord) =>
  wireSourceOf({ provider, type: source_type, device_id });

/** The wire format of a stored summary. */
export const wireSummaryOf = (kind: SummaryKind, record: SummaryRecord) =>
  toWireSummary(kind, record.fields, record, sourceOf(record));

/** The raw wire format of a stored summary, for a kind without days. */
export const rawSummaryOf = (record: SummaryRecord) => toRawSummary(record, sourceOf(record));

const ofProvider = (provider: string) => (record: SummaryRecord) => provider === "" || provider === record.provider;

/** Reads the stored summaries of one kind whose day lies in the queried range. @throws ValidationFailed, NotPossible */
async function recordsOf(
  summaries: SummaryStore,
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  query: RangeQuery & AsOf,
) {
  const range = dateRange(query.start_date, query.end_date);
  if (typeof range === "string")
    throw ValidationFailed.at(["query", range], "Not a date or ISO 8601 date-time, or before start_date");
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const days = { from: day(range.fromMs), to: day(range.toMs) };
  const found = await summaries.list(scope, userId, kind, days, asOfMs(query));
  return found.filter(ofProvider(query.provider));
}

/** Lists summaries of one kind with a day in the queried range, oldest first. @throws ValidationFailed, NotPossible */
export async function listSummaries(...about: Parameters<typeof recordsOf>) {
  const [, , , kind] = about;
  return (await recordsOf(...about)).map((record) => wireSummaryOf(kind, record));
}

/** {@link listSummaries} in raw format, without derived summaries. @throws ValidationFailed */
export async function listRawSummaries(...about: Parameters<typeof recordsOf>) {
  const [, , , kind] = about;
  const given = (await recordsOf(...about)).filter(({ derived }) => !derived);
  return given.map((record) => toRawSummaryOfDay(kind, record, sourceOf(record)));
}

/** Lists the stored summaries of a kind without days, last changed first. @param provider empty for all. */
export async function latestFirst(
  summaries: SummaryStore,
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  provider: string,
  asOf?: number,
): Promise<SummaryRecord[]> {
  const found = await summaries.all(scope, userId, kind, asOf);
  return found.filter(ofProvider(provider)).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
}
