import type { TableName } from "../../domain/aggregation/columns.ts";
import { explainSummaries } from "../../domain/aggregation/explain-summary.ts";
import type { SummaryRow } from "../../domain/aggregation/rows.ts";
import { localTime } from "../../domain/local-day.ts";
import type { SummaryKind } from "../../domain/summaries/summary-kind.ts";
import type { ExplainedRangeQuery } from "../../domain/timeseries/query.ts";
import type { SourcePriorityStore } from "../../store/source-priorities.ts";
import type { SummaryStore } from "../../store/summaries.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import { UserNotFound } from "../errors.ts";
import { listSummaries } from "../summary-list.ts";
import { providersOf } from "./answering.ts";

interface SummaryUses {
  readonly users: UserStore;
  readonly summaries: SummaryStore;
  readonly sourcePriorities: SourcePriorityStore;
}

/**
 * Lists the summaries of one kind in the queried range, with explanations on request.
 * @throws UserNotFound, ValidationFailed
 */
export async function explainedSummaries(
  { users, summaries, sourcePriorities }: SummaryUses,
  scope: TeamScope,
  userId: string,
  [kind, table]: readonly [SummaryKind, TableName],
  query: ExplainedRangeQuery,
) {
  const user = await users.get(scope, userId);
  if (!user) throw new UserNotFound();
  if (!query.explain) return listSummaries(summaries, scope, userId, kind, query);
  const all = await listSummaries(summaries, scope, userId, kind, { ...query, provider: "" });
  const { priorities } = await sourcePriorities.get(scope);
  const ranking = { overrides: [], providers: providersOf(table, priorities) };
  const rows = all as readonly unknown[] as readonly SummaryRow[];
  const explanations = explainSummaries(table, rows, localTime(user.fallback_time_zone.id), ranking);
  const explained = all.map((summary, index) => ({ ...summary, explanation: explanations[index] }));
  return explained.filter(({ source }) => query.provider === "" || source.provider === query.provider);
}
