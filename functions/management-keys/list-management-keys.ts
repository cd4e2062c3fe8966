import * as z from "zod";
import { batchGetItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, keyUses } from "../../lib/contract/resources.ts";
import { managementRoles, wireManagementKey } from "../../lib/domain/management/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { readFilteredPage } from "../../lib/runtime/http/filtered-page.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { managementRole, toWireManagementKey } from "../../lib/services/management/management-keys.ts";
import { keyListPrefixes } from "../../lib/store/management/keys.ts";

/** Maximum number of keys in one response. */
const PAGE = 50;

export const contract = endpoint({
  operationId: "listManagementKeys",
  method: "GET",
  path: "/v1/org/{org_id}/management_key",
  tag: "management-keys",
  summary: "List management keys",
  description: [
    "Lists the management keys of the organisation, oldest first, with up to 50 in a page.",
    "`value` shows only the prefix, the id and the last four characters of a key.",
    "`last_used_at` is exact to the minute, and null if a key was not used for 400 days.",
    "`team_id` finds keys that are bound to the team, not those of the whole organisation.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: z.object({
    team_id: z.guid().toLowerCase().nullish().meta({ description: "Only keys bound to this team" }),
    role: z.enum(managementRoles).nullish(),
    next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
  }),
  response: z
    .object({ data: z.array(wireManagementKey), next_cursor: z.string().nullable() })
    .meta({ id: "ManagementKeyPage" }),
  errors: [NotFound],
  access: [queryItems(keys), batchGetItem(keyUses)],
});

export const handler = implement(contract, async ({ params, query, pages }, { keys, keyUses }) => {
  const { team_id, role, next_cursor } = query;
  const { found, ...rest } = await readFilteredPage({
    read: (after, limit) => keys.list(params.org_id, keyListPrefixes.managementKeys, after, limit),
    matches: (key) => (!team_id || key.team_ids.includes(team_id)) && (!role || managementRole(key) === role),
    size: PAGE,
    next_cursor,
    pages,
  });
  const used = await keyUses.getLastUses(found.map(({ key_id }) => key_id));
  return { data: found.map((key) => toWireManagementKey(key, used.get(key.key_id))), ...rest };
});
