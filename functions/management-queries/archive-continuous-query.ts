import * as z from "zod";
import { getItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { noContent, noFields } from "../../lib/contract/shared-schemas.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/callers/team-path.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireContinuousQuery, updateActiveQuery } from "../../lib/services/queries/require-continuous-query.ts";

export const contract = endpoint({
  operationId: "archiveContinuousQuery",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Archive a continuous query",
  description: [
    "Archives a continuous query, so that the service computes its results no more.",
    "The results stay readable, and the slug stays reserved. An archive cannot be undone.",
    "A repeated call succeeds and changes nothing.",
  ],
  auth: "management",
  params: teamParams.extend({
    query_id_or_slug: z.string().min(1).max(128).describe("Id or slug of the continuous query"),
  }),
  query: noFields,
  response: noContent,
  status: 204,
  errors: [NotFound, Conflict],
  access: [getItem(teams), getItem(continuousQueries), queryItems(continuousQueries), updateItem(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const query = await requireContinuousQuery(continuousQueries, scope, params.query_id_or_slug);
  if (query.status === "active") await updateActiveQuery(continuousQueries, scope, query, { status: "archived" });
  return undefined;
});
