import type { QueryProblem } from "../domain/aggregation/check-query.ts";
import type { AggregationQuery } from "../domain/aggregation/query.ts";
import {
  type CheckedContinuousQuery,
  type ContinuousQuery,
  checkContinuousQuery,
} from "../domain/continuous-queries/continuous-query.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { ContinuousQueryStore } from "../store/continuous-queries.ts";
import type { TeamScope } from "../store/team-scope.ts";
import { Conflict, NotFound, ValidationFailed } from "./errors.ts";

/** Checks that a query can run continuously. @throws ValidationFailed with all problems of the query. */
export function requireContinuous(query: AggregationQuery): CheckedContinuousQuery {
  const checked = checkContinuousQuery(query);
  if ("result_table_schema" in checked) return checked;
  const toLocation = ({ path, message }: QueryProblem) => ({ loc: ["body", "query", ...path], msg: message });
  throw new ValidationFailed(checked.map((problem) => ({ ...toLocation(problem), type: "value_error" })));
}

/** Returns the query with this id or slug. @throws NotFound if the team has none. */
export async function requireQuery(
  queries: ContinuousQueryStore,
  scope: TeamScope,
  idOrSlug: string,
): Promise<ContinuousQuery> {
  const query = await queries.find(scope, idOrSlug);
  if (!query) throw new NotFound("There is no continuous query with this id or slug.");
  return query;
}

/** Updates an active query. @throws Conflict if the query is archived. */
export async function changeActive(
  queries: ContinuousQueryStore,
  scope: TeamScope,
  query: ContinuousQuery,
  changes: Partial<ContinuousQuery>,
): Promise<ContinuousQuery> {
  if (Object.keys(changes).length === 0) return query;
  try {
    return await queries.change(scope, query.slug, changes);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new Conflict("The continuous query is archived.", { cause: error });
  }
}
