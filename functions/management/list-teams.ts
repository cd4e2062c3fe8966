import * as z from "zod";
import { query } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { regions, type Team, teamNamePattern, wireTeam } from "../../lib/domain/identity.ts";
import { Forbidden, NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireOrgAdmin } from "../../lib/runtime/management.ts";
import { decodeCursor, encodeCursor } from "../../lib/store/cursor.ts";
import type { TeamStore } from "../../lib/store/identity.ts";

/** Teams in one answer. */
const PAGE = 50;

/** Lists the teams of an organisation, oldest first (spec, Management interface). */
export const contract = endpoint({
  operationId: "listTeams",
  method: "GET",
  path: "/v1/org/{org_id}/team",
  tag: "management",
  summary: "List the teams of an organization",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: z.object({
    region: z.array(z.enum(regions)).nullish(),
    search_query: z
      .string()
      .regex(teamNamePattern, "At most 80 letters, digits, spaces and ( ) , / : ' | & _ - ’")
      .nullish(),
    next_cursor: z.string().max(2_000).nullish(),
  }),
  response: z.object({ teams: z.array(wireTeam), next_cursor: z.string().nullable() }).meta({ id: "TeamPage" }),
  errors: [Forbidden, NotFound],
  access: [query(teams)],
});

/** Teams that match, from a position on, and the position of the last when there may be more. */
async function findTeams(teams: TeamStore, orgId: string, after: string | undefined, matches: (team: Team) => boolean) {
  const found: Team[] = [];
  let position = after;
  for (;;) {
    const page = await teams.list(orgId, position, PAGE);
    for (const team of page.items) {
      if (found.length === PAGE) return { found, position };
      if (matches(team)) found.push(team);
      position = team.sk;
    }
    if (!page.lastKey) return { found, position: undefined };
  }
}

export const handler = implement(contract, async ({ key, params, query }, { teams }) => {
  requireOrgAdmin(key, params.org_id);
  const { region, search_query, next_cursor } = query;
  const bound = [params.org_id, region?.join(",") ?? "", search_query ?? ""].join("|");
  const after = next_cursor ? decodeCursor(next_cursor, bound, z.tuple([z.string()])) : undefined;
  if (next_cursor && !after) throw ValidationFailed.at(["query", "next_cursor"], "Not a cursor of this query");
  const text = search_query?.toLowerCase() ?? "";
  const { found, position } = await findTeams(teams, params.org_id, after?.[0], (team) => {
    const isInRegion = !region?.length || region.includes(team.region);
    return isInRegion && (team.name.toLowerCase().includes(text) || team.team_id === text);
  });
  return {
    teams: found.map(({ team_id, name, created_on, region }) => ({ id: team_id, name, created_on, region })),
    next_cursor: position === undefined ? null : encodeCursor([position], bound),
  };
});
