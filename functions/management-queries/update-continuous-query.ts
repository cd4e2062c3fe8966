import * as z from "zod";
import { get, query, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import {
  type ContinuousQuery,
  continuousQuery,
  continuousQueryChange,
} from "../../lib/domain/continuous-queries/continuous-query.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/team-path.ts";
import { changeActive, requireQuery } from "../../lib/runtime/team-queries.ts";

/** Changes the title or the scheduling of a continuous query. Its query is immutable. */
export const contract = endpoint({
  operationId: "updateContinuousQuery",
  method: "PATCH",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Update a continuous query",
  auth: "management",
  params: teamParams.extend({ query_id_or_slug: z.string().min(1).max(128) }),
  query: nothing,
  body: continuousQueryChange,
  response: continuousQuery,
  errors: [NotFound, Conflict],
  access: [get(teams), get(continuousQueries), query(continuousQueries), update(continuousQueries)],
});

/** The changed fields of a body. A null or absent field stays unchanged. */
function changesOf({
  title,
  scheduling_preferences,
}: z.output<typeof continuousQueryChange>): Partial<ContinuousQuery> {
  const gap = scheduling_preferences?.minimum_gap_duration_second ?? null;
  return {
    ...(title == null ? {} : { title }),
    ...(scheduling_preferences ? { scheduling_preferences: { minimum_gap_duration_second: gap } } : {}),
  };
}

export const handler = implement(contract, async ({ key, params, body }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const query = await requireQuery(continuousQueries, scope, params.query_id_or_slug);
  return changeActive(continuousQueries, scope, query, changesOf(body));
});
