import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, queryTasks, users } from "../../lib/contract/resources.ts";
import { queryInteger, userParams } from "../../lib/contract/shared-schemas.ts";
import { wireQueryTask } from "../../lib/domain/queries/continuous/query-task.ts";
import { NotFound, UserNotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { readTaskPage } from "../../lib/services/queries/continuous/task-page.ts";
import { requireContinuousQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "getTaskHistoryForContinuousQuery",
  method: "GET",
  path: "/aggregate/v1/user/{user_id}/continuous_query/{query_id_or_slug}/task_history",
  tag: "aggregation",
  summary: "List the tasks of a continuous query",
  description: [
    "Returns the computations of a continuous query for a user with their status and times, newest first.",
    "The first page begins with a `scheduled` computation if data has changed since the last one.",
    "Use it to see why a result is old; the result itself is at `.../result_table`.",
    "Two computations lie at least 30 minutes apart, unless the query sets a longer gap.",
    "A page holds 50 computations unless `limit` says otherwise, at most 100; they stay for 90 days.",
  ],
  auth: "team",
  params: userParams.extend({
    query_id_or_slug: z.string().min(1).max(128).describe("Id or slug of the continuous query"),
  }),
  query: z.object({
    next_cursor: z.string().max(2_000).optional().describe("Cursor of the page to return"),
    limit: queryInteger(1, 100).default(50),
  }),
  response: z
    .object({ data: z.array(wireQueryTask), next_cursor: z.string().nullable() })
    .meta({ id: "ContinuousQueryTaskPage" }),
  errors: [UserNotFound, NotFound],
  access: [
    getItem(users),
    getItem(continuousQueries),
    queryItems(continuousQueries),
    getItem(queryTasks),
    queryItems(queryTasks),
  ],
});

export const handler = implement(contract, async ({ scope, params, query: page, pages }, deps) => {
  if (!(await deps.users.get(scope, params.user_id))) throw new UserNotFound();
  const query = await requireContinuousQuery(deps.continuousQueries, scope, params.query_id_or_slug);
  return readTaskPage(deps.queryTasks, scope, { userId: params.user_id, queryId: query.id }, page, pages);
});
