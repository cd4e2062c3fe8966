import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { queryInteger, userParams } from "../../lib/contract/parts.ts";
import { continuousQueries, queryTasks, users } from "../../lib/contract/resources.ts";
import { wireTask } from "../../lib/domain/continuous-queries/query-task.ts";
import { taskPage } from "../../lib/runtime/continuous-queries/task-page.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireQuery } from "../../lib/runtime/team-queries.ts";

/** Lists the computations of a continuous query for a user, newest first. */
export const contract = endpoint({
  operationId: "getTaskHistoryForContinuousQuery",
  method: "GET",
  path: "/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/task_history",
  tag: "aggregation",
  summary: "List the tasks of a continuous query",
  auth: "team",
  params: userParams.extend({ query_id_or_slug: z.string().min(1).max(128) }),
  query: z.object({ next_cursor: z.string().max(2_000).optional(), limit: queryInteger(1, 100).default(50) }),
  response: z
    .object({ data: z.array(wireTask), next_cursor: z.string().nullable() })
    .meta({ id: "ContinuousQueryTaskPage" }),
  errors: [UserNotFound, NotFound],
  access: [get(users), get(continuousQueries), query(continuousQueries), get(queryTasks), query(queryTasks)],
});

export const handler = implement(contract, async ({ scope, params, query: page, pages }, uses) => {
  if (!(await uses.users.get(scope, params.user_id))) throw new UserNotFound();
  const query = await requireQuery(uses.continuousQueries, scope, params.query_id_or_slug);
  return taskPage(uses.queryTasks, scope, { userId: params.user_id, queryId: query.id }, page, pages);
});
