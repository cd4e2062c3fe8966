import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { destinations, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { toWireDestination, wireDestination } from "../../lib/events/forwarding/team-destination.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { positionText } from "../../lib/store/cursor.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/** Number of teams in one page. Teams without a destination make the response shorter. */
const PAGE = 100;

export const contract = endpoint({
  operationId: "listTeamEtlPipelines",
  method: "GET",
  path: "/v1/org/{org_id}/team_etl_pipelines/{env}/{region}",
  tag: "management",
  summary: "List the event destinations of teams",
  description: [
    "Lists the event destinations of the organisation's teams, with 100 teams in a page.",
    "Teams without a destination are left out, so a page may be short or empty while `next_cursor` is set.",
    "Credentials can be set but never read.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({ next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page") }),
  response: z
    .object({ pipelines: z.array(wireDestination), next_cursor: z.string().nullable() })
    .meta({ id: "TeamEtlPipelinePage" }),
  errors: [Forbidden, NotFound],
  access: [queryItems(teams), batchGetItem(destinations)],
});

export const handler = implement(contract, async ({ key, params, query, pages }, { teams, destinations }) => {
  requireOrgAdmin(key, params.org_id);
  const { next_cursor } = query;
  const after = pages.read(next_cursor, z.tuple([positionText]));
  const { items, lastKey } = await teams.list(params.org_id, after?.[0], PAGE);
  const found = await destinations.getMany(items.map(({ team_id }) => TeamScope.grant(team_id)));
  const byTeam = new Map(found.map((destination) => [destination.team_id, destination]));
  const last = items.at(-1);
  return {
    pipelines: items.flatMap(({ team_id }) => byTeam.get(team_id) ?? []).map(toWireDestination),
    next_cursor: lastKey && last ? pages.write([last.sk]) : null,
  };
});
