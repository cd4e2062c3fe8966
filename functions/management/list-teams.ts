import * as z from "zod";
import { queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { teams } from "../../lib/contract/resources.ts";
import { regions, teamNamePattern } from "../../lib/domain/management/records.ts";
import { toWireTeamListItem, wireTeamListItem } from "../../lib/domain/management/wire-team.ts";
import { Forbidden, NotFound } from "../../lib/runtime/errors.ts";
import { readFilteredPage } from "../../lib/runtime/http/filtered-page.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Maximum number of teams in one response. */
const PAGE = 50;

export const contract = endpoint({
  operationId: "listTeams",
  method: "GET",
  path: "/v1/org/{org_id}/team",
  tag: "management",
  summary: "List teams",
  description: [
    "Lists the teams of the organisation, oldest first, with up to 50 in a page.",
    "`search_query` matches a part of the name in any case, or the complete id.",
    "Teams in their grace period are left out.",
    "Pass `next_cursor` with the same filters for the next page; null marks the last one.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: z.object({
    region: z.array(z.enum(regions)).nullish(),
    team_id: z.array(z.guid().toLowerCase()).max(100).nullish(),
    search_query: z
      .string()
      .regex(teamNamePattern, "Use at most 80 letters, digits, spaces and ( ) , / : ' | & _ - ’")
      .nullish()
      .describe("Part of the name, or a complete id"),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  response: z.object({ teams: z.array(wireTeamListItem), next_cursor: z.string().nullable() }).meta({ id: "TeamPage" }),
  errors: [Forbidden, NotFound],
  access: [queryItems(teams)],
});

export const handler = implement(contract, async ({ params, query, pages }, { teams }) => {
  const { region, team_id, search_query, next_cursor } = query;
  const text = search_query?.toLowerCase() ?? "";
  const { found, ...rest } = await readFilteredPage({
    read: (after, limit) => teams.list(params.org_id, after, limit),
    matches: (team) => {
      const isSelected = !team_id?.length || team_id.includes(team.team_id);
      const isInRegion = !region?.length || region.includes(team.region);
      return isSelected && isInRegion && (team.name.toLowerCase().includes(text) || team.team_id === text);
    },
    size: PAGE,
    next_cursor,
    pages,
  });
  return { teams: found.map(toWireTeamListItem), ...rest };
});
