import { type ExplainedRow, explainSummaries } from "../../domain/queries/explain/explain-summaries.ts";
import type { TableName } from "../../domain/queries/tables/columns.ts";
import { floatingTimeConverter } from "../../domain/shared/local-day.ts";
import { DERIVED_FROM, derivedFrom } from "../../domain/summaries/derived-from.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import type { ExplainedRangeQuery } from "../../domain/timeseries/range-query.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { UserNotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { listSummaries, readSummaryRecords, toWireStoredSummary } from "../summaries/list-summaries.ts";
import { tablePriorities } from "./execute-query-batch.ts";

type ListExplainedSummariesDependencies = Dependencies<"users" | "summaries" | "sourcePriorities">;

/**
 * Lists the summaries of one kind in the queried range, with explanations on request.
 * @throws UserNotFound, ValidationFailed
 */
export async function listExplainedSummaries(
  { users, summaries, sourcePriorities }: ListExplainedSummariesDependencies,
  scope: TeamScope,
  userId: string,
  [kind, table]: readonly [SummaryKind, TableName],
  query: ExplainedRangeQuery,
) {
  const user = await users.get(scope, userId);
  if (!user) throw new UserNotFound();
  if (!query.explain) return listSummaries(summaries, scope, userId, kind, query);
  const records = await readSummaryRecords(summaries, scope, userId, kind, { ...query, provider: "" });
  const all = records.map((record) => toWireStoredSummary(kind, record));
  const { priorities } = await sourcePriorities.get(scope);
  const ranking = { overrides: [], providers: tablePriorities(table, priorities) };
  const rows = all.map((summary, index) => {
    return { ...summary, [DERIVED_FROM]: derivedFrom(records[index]?.fields ?? {}) } as unknown as ExplainedRow;
  });
  const explanations = explainSummaries(table, rows, floatingTimeConverter(user.fallback_time_zone.id), ranking);
  const explained = all.map((summary, index) => ({ ...summary, explanation: explanations[index] }));
  return explained.filter(({ source }) => query.provider === "" || source.provider === query.provider);
}
