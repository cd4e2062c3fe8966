import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { customCredentials, teams } from "../../lib/contract/resources.ts";
import {
  toWireCustomCredentials,
  wireCustomCredentials,
} from "../../lib/domain/connections/providers/custom-credentials.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { requireServedEnvironment } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { listTeamScopes } from "../../lib/services/management/team-scopes.ts";

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
    "A page may be empty while `next_cursor` is set, because not every team has credentials.",
    "Secrets can be set but never read: compare `client_secret_hash`, the SHA-256 of the secret.",
    "`details` is always null, because details are secret too.",
  ],
  auth: "management",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({ next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page") }),
  response: z
    .object({ credentials: z.array(wireCustomCredentials), next_cursor: z.string().nullable() })
    .meta({ id: "TeamCustomCredentialsPage" }),
  errors: [NotFound],
  access: [queryItems(teams), queryItems(customCredentials)],
});

export const handler = implement(contract, async ({ params, query, pages }, { teams, customCredentials }) => {
  requireServedEnvironment(params);
  const { scopes, next_cursor } = await listTeamScopes(teams, params.org_id, query.next_cursor, pages, PAGE);
  const found = await Promise.all(scopes.map((scope) => customCredentials.list(scope)));
  return { credentials: found.flat().map(toWireCustomCredentials), next_cursor };
});
