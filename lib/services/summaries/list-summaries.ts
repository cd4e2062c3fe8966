import { toRawDatedSummary, toRawSummary } from "../../domain/summaries/raw-summary.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import { toWireSummary } from "../../domain/summaries/summary-kind.ts";
import type { AsOfQuery, RangeQuery } from "../../domain/timeseries/range-query.ts";
import { wireSourceOf } from "../../runtime/wire-source.ts";
import type { SummaryStore } from "../../store/summaries/summaries.ts";
import type { SummaryRecord } from "../../store/summaries/summary-record.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { parseAsOf } from "../timeseries/parse-as-of.ts";
import { requireDateRange } from "../timeseries/require-date-range.ts";

const sourceOf = ({ provider, source_type, device_id, app_id = null }: SummaryRecord) =>
  wireSourceOf({ provider, type: source_type, device_id, app_id });

/** The wire format of a stored summary. */
export const toWireStoredSummary = (kind: SummaryKind, record: SummaryRecord) =>
  toWireSummary(kind, record.fields, record, sourceOf(record));

/** The raw wire format of a stored summary, for a kind without days. */
export const toRawStoredSummary = (record: SummaryRecord) => toRawSummary(record, sourceOf(record));

const matchesProvider = (provider: string) => (record: SummaryRecord) =>
  provider === "" || provider === record.provider;

/** Reads the stored summaries of one kind whose day lies in the queried range. @throws ValidationFailed, NotPossible */
export async function readSummaryRecords(
  summaries: SummaryStore,
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  query: RangeQuery & AsOfQuery,
) {
  const range = requireDateRange(query);
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
  const days = { from: day(range.fromMs), to: day(range.toMs) };
  const found = await summaries.list(scope, userId, kind, days, parseAsOf(query));
  return found.filter(matchesProvider(query.provider));
}

/** Lists summaries of one kind with a day in the queried range, oldest first. @throws ValidationFailed, NotPossible */
export async function listSummaries(...about: Parameters<typeof readSummaryRecords>) {
  const [, , , kind] = about;
  return (await readSummaryRecords(...about)).map((record) => toWireStoredSummary(kind, record));
}

/** {@link listSummaries} in raw format, without derived summaries. @throws ValidationFailed */
export async function listRawSummaries(...about: Parameters<typeof readSummaryRecords>) {
  const [, , , kind] = about;
  const given = (await readSummaryRecords(...about)).filter(({ derived }) => !derived);
  return given.map((record) => toRawDatedSummary(kind, record, sourceOf(record)));
}

/** Lists the stored summaries of a kind without days, last changed first. @param provider empty for all. */
export async function listLatestSummaries(
  summaries: SummaryStore,
  scope: TeamScope,
  userId: string,
  kind: SummaryKind,
  provider: string,
  asOf?: number,
): Promise<SummaryRecord[]> {
  const found = await summaries.listAll(scope, userId, kind, asOf);
  return found.filter(matchesProvider(provider)).sort((a, b) => b.updated_at.localeCompare(a.updated_at));
}
