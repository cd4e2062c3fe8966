import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { continuousQuery } from "../../lib/domain/queries/continuous/continuous-query.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireContinuousQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "getContinuousQuery",
  method: "GET",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Retrieve a continuous query",
  description: [
    "Returns a continuous query by its id or its slug, archived ones too.",
    "`result_table_schema` has the type of each result column.",
    "`resource_dependencies` lists the resources whose changes start a computation.",
  ],
  auth: "management",
  params: teamParams.extend({
    query_id_or_slug: z.string().min(1).max(128).describe("Id or slug of the continuous query"),
  }),
  query: noFields,
  response: continuousQuery,
  errors: [NotFound],
  access: [getItem(teams), getItem(continuousQueries), queryItems(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  return requireContinuousQuery(continuousQueries, scope, params.query_id_or_slug);
});
