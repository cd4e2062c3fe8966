import * as z from "zod";
import { get, query, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { empty, nothing } from "../../lib/contract/parts.ts";
import { continuousQueries, teams } from "../../lib/contract/resources.ts";
import { Conflict, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireTeamScope, teamParams } from "../../lib/runtime/team-path.ts";
import { changeActive, requireQuery } from "../../lib/runtime/team-queries.ts";

/** Archives a continuous query. Its results are no longer updated, but stay readable. */
export const contract = endpoint({
  operationId: "archiveContinuousQuery",
  method: "DELETE",
  path: "/v1/org/{org_id}/team/{team_id}/{env}/continuous_query/{query_id_or_slug}",
  tag: "management-queries",
  summary: "Archive a continuous query",
  auth: "management",
  params: teamParams.extend({ query_id_or_slug: z.string().min(1).max(128) }),
  query: nothing,
  response: empty,
  status: 204,
  errors: [NotFound, Conflict],
  access: [get(teams), get(continuousQueries), query(continuousQueries), update(continuousQueries)],
});

export const handler = implement(contract, async ({ key, params }, { teams, continuousQueries }) => {
  const scope = await requireTeamScope(teams, { key, params });
  const query = await requireQuery(continuousQueries, scope, params.query_id_or_slug);
  if (query.status === "active") await changeActive(continuousQueries, scope, query, { status: "archived" });
  return undefined;
});
