import * as z from "zod";
import { get, query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { continuousQuery } from "../../lib/domain/continuous-queries/continuous-query.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/team-path.ts";
import { requireQuery } from "../../lib/runtime/team-queries.ts";

/** Returns a continuous query by its id or its slug. */
export const contract = endpoint({
  operationId: "getContinuousQuery",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Retrieve a continuous query",
  auth: "management",
  params: teamParams.extend({ query_id_or_slug: z.string().min(1).max(128) }),
  query: nothing,
  response: continuousQuery,
  errors: [NotFound],
  access: [get(teams), get(continuousQueries), query(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  return requireQuery(continuousQueries, scope, params.query_id_or_slug);
});
