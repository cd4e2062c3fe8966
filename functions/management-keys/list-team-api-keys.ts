import * as z from "zod";
import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, keyUses, teams } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { wireApiKey } from "../../lib/domain/management/wire-key.ts";
import { requireTeam } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { readFilteredPage } from "../../lib/runtime/http/filtered-page.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { keyListPrefixes } from "../../lib/store/management/keys.ts";

/** Maximum number of keys in one response. */
const PAGE = 50;

export const contract = endpoint({
  operationId: "listTeamApiKeys",
  method: "GET",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "List API keys of teams",
  description: [
    "Lists the API keys of one team, or of all teams that the management key can access, with up to 50 in a page.",
    "Keys are grouped by team, oldest first. Retired keys stay in the list, with `retired_at`.",
    "`value` shows only the prefix, the id and the last four characters of a key.",
    "`last_used_at` is exact to the minute, and null if a key was not used for 400 days.",
    "Access tokens are not in the list.",
  ],
  auth: "management",
  consoleRoles: ["admin"],
  scope: "team",
  params: z.object({
    org_id: z.guid().toLowerCase(),
    env: z.enum(environments).describe("Environment of the deployment"),
    region: z.enum(regions).describe("Region of the deployment"),
  }),
  query: z.object({
    team_id: z.guid().toLowerCase().nullish().describe("Default: all accessible teams"),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  response: z
    .object({ api_keys: z.array(wireApiKey), next_cursor: z.string().nullable() })
    .meta({ id: "TeamApiKeyPage" }),
  errors: [NotFound],
  access: [getItem(teams), queryItems(keys), batchGetItem(keyUses)],
});

export const handler = implement(contract, async ({ key, params, query, pages }, { teams, keys, keyUses }) => {
  const { team_id, next_cursor } = query;
  if (team_id) await requireTeam(teams, key, params.org_id, team_id);
  const sort = team_id ? keyListPrefixes.apiKeysOf(team_id) : keyListPrefixes.apiKeys;
  const { found, ...rest } = await readFilteredPage({
    read: (after, limit) => keys.list(params.org_id, sort, after, limit),
    matches: ({ team_ids }) => key.kind === "org_admin" || team_ids.every((id) => key.team_ids.includes(id)),
    size: PAGE,
    next_cursor,
    pages,
  });
  const used = await keyUses.getLastUses(found.map(({ key_id }) => key_id));
  const api_keys = found.map(({ id, key_id, label, masked, created_at, team_ids: [team = ""], ...key }) => {
    const { lab = null, scopes = null, retired_at = null } = key;
    const about = { id, label, value: masked, team_id: team, created_at, lab, scopes, retired_at };
    return { ...about, last_used_at: used.get(key_id) ?? null };
  });
  return { api_keys, ...rest };
});
