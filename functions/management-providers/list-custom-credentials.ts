import * as z from "zod";
import { getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { customCredentials, teams } from "../../lib/contract/resources.ts";
import {
  toWireCustomCredentials,
  wireCustomCredentials,
} from "../../lib/domain/connections/providers/custom-credentials.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireOrgAdmin } from "../../lib/runtime/callers/management-access.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listTeamScopes, requireTeamScopes } from "../../lib/services/management/team-scopes.ts";

/** Number of teams in one page. */
const PAGE = 25;

export const contract = endpoint({
  operationId: "listCustomCredentials",
  method: "GET",
  path: "/v1/org/{org_id}/team_custom_credentials/{env}/{region}",
  tag: "management-providers",
  summary: "List the custom credentials of teams",
  description: [
    "Lists the credentials of the teams' own provider applications, with 25 teams in a page.",
    "Without `team_id`, the key must be an `org_admin` key.",
    "A page may be empty while `next_cursor` is set, because not every team has credentials.",
    "Secrets can be set but never read: compare `client_secret_hash`, the SHA-256 of the secret.",
    "`details` is always null, because details are secret too.",
  ],
  auth: "management",
  scope: "team",
  consoleRoles: ["admin"],
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({
    team_id: z.guid().toLowerCase().nullish().describe("Default: all teams"),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  response: z
    .object({ credentials: z.array(wireCustomCredentials), next_cursor: z.string().nullable() })
    .meta({ id: "TeamCustomCredentialsPage" }),
  errors: [NotFound, Forbidden],
  access: [getItem(teams), queryItems(teams), queryItems(customCredentials)],
});

export const handler = implement(contract, async ({ key, params, query, pages }, { teams, customCredentials }) => {
  if (!query.team_id) requireOrgAdmin(key, params.org_id);
  const { scopes, next_cursor } = query.team_id
    ? { scopes: await requireTeamScopes(teams, { key, params }, [query.team_id]), next_cursor: null }
    : await listTeamScopes(teams, params.org_id, query.next_cursor, pages, PAGE);
  const found = await Promise.all(scopes.map((scope) => customCredentials.list(scope)));
  return { credentials: found.flat().map(toWireCustomCredentials), next_cursor };
});
