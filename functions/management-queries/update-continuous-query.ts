import * as z from "zod";
import { getItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  type ContinuousQuery,
  continuousQuery,
  continuousQueryPatch,
} from "../../lib/domain/queries/continuous/continuous-query.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireContinuousQuery, updateActiveQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "updateContinuousQuery",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Update a continuous query",
  description: [
    "Changes the title or the scheduling of a continuous query; absent and null fields stay as they are.",
    "`scheduling_preferences` is replaced as a whole: without a gap, the default of 30 minutes applies.",
    "The query itself is fixed. Create another continuous query, with results of its own, and archive this one.",
    "An archived query returns `conflict`.",
  ],
  auth: "management",
  params: teamParams.extend({
    query_id_or_slug: z.string().min(1).max(128).describe("Id or slug of the continuous query"),
  }),
  query: noFields,
  body: continuousQueryPatch,
  response: continuousQuery,
  errors: [NotFound, Conflict],
  access: [getItem(teams), getItem(continuousQueries), queryItems(continuousQueries), updateItem(continuousQueries)],
});

/** The changed fields of a body. A null or absent field stays unchanged. */
function changesOf({ title, scheduling_preferences }: z.output<typeof continuousQueryPatch>): Partial<ContinuousQuery> {
  const gap = scheduling_preferences?.minimum_gap_duration_second ?? null;
  return {
    ...(title == null ? {} : { title }),
    ...(scheduling_preferences ? { scheduling_preferences: { minimum_gap_duration_second: gap } } : {}),
  };
}

export const handler = implement(contract, async ({ key, params, body }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const query = await requireContinuousQuery(continuousQueries, scope, params.query_id_or_slug);
  return updateActiveQuery(continuousQueries, scope, query, changesOf(body));
});
