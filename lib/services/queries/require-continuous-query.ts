import type { AggregationQuery } from "../../domain/queries/aggregation-query.ts";
import {
  type CheckedContinuousQuery,
  type ContinuousQuery,
  checkContinuousQuery,
} from "../../domain/queries/continuous/continuous-query.ts";
import type { QueryProblem } from "../../domain/queries/query-problem.ts";
import { Conflict, NotFound, ValidationFailed } from "../../runtime/errors.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import type { ContinuousQueryStore } from "../../store/queries/continuous-queries.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/** Checks that a query can run continuously. @throws ValidationFailed with all problems of the query. */
export function requireValidContinuousQuery(query: AggregationQuery): CheckedContinuousQuery {
  const checked = checkContinuousQuery(query);
  if ("result_table_schema" in checked) return checked;
  const toLocation = ({ path, message }: QueryProblem) => ({ loc: ["body", "query", ...path], msg: message });
  throw new ValidationFailed(checked.map((problem) => ({ ...toLocation(problem), type: "value_error" })));
}

/** Returns the query with this id or slug. @throws NotFound if the team has none. */
export async function requireContinuousQuery(
  queries: ContinuousQueryStore,
  scope: TeamScope,
  idOrSlug: string,
): Promise<ContinuousQuery> {
  const query = await queries.find(scope, idOrSlug);
  if (!query) throw new NotFound("There is no continuous query with this id or slug.");
  return query;
}

/** Updates an active query. @throws Conflict if the query is archived. */
export async function updateActiveQuery(
  queries: ContinuousQueryStore,
  scope: TeamScope,
  query: ContinuousQuery,
  changes: Partial<ContinuousQuery>,
): Promise<ContinuousQuery> {
  if (Object.keys(changes).length === 0) return query;
  const update = queries.update(scope, query.slug, changes);
  return explainConditionFailed(update, (cause) => new Conflict("The continuous query is archived.", { cause }));
}
