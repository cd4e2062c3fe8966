import * as z from "zod";
import { deleteItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys } from "../../lib/contract/resources.ts";
import { queryBoolean } from "../../lib/contract/shared-schemas.ts";
import { environments, regions } from "../../lib/domain/management/records.ts";
import { idsToDelete, wireBulkDeletion } from "../../lib/domain/management/wire-key.ts";
import { deleteEach } from "../../lib/runtime/callers/management-access.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { keyListPrefixes, type ListedKey } from "../../lib/store/management/keys.ts";

export const contract = endpoint({
  operationId: "deleteTeamApiKeys",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "Delete API keys of teams",
  description: [
    "Deletes up to 50 API keys of teams, each of which stops working within a minute.",
    "Links, codes and sessions that a deleted key created stop with it.",
    "With `keep_made`, the keys are retired instead: they stay in the list, and what they created stays valid.",
    "To rotate a key, create its successor, replace it, retire it, and delete it later.",
    "The status is 200 even if some ids fail: read `success`, `failure` and `not_found`.",
    "A key of a team that the management key cannot access is in `not_found`.",
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
    api_key_id: idsToDelete.describe("Ids of up to 50 keys"),
    keep_made: queryBoolean.default(false).meta({
      description: "Retires the keys: they no longer authenticate, but the credentials that they issued stay valid",
    }),
  }),
  response: wireBulkDeletion,
  errors: [NotFound],
  access: [queryItems(keys), deleteItem(keys), updateItem(keys)],
});

export const handler = implement(contract, async ({ key, params, query, log }, { keys, commit }) => {
  const all = await keys.listAll(params.org_id, keyListPrefixes.apiKeys);
  const isAccessible = (teamIds: readonly string[]) =>
    key.kind === "org_admin" || teamIds.every((id) => key.team_ids.includes(id));
  const accessibleKeys = new Map(all.filter(({ team_ids }) => isAccessible(team_ids)).map((one) => [one.id, one]));
  const endKey = (one: ListedKey) =>
    query.keep_made ? keys.updateItems(one, { retired_at: one.retired_at ?? isoNow() }) : keys.deleteItems(one);
  return deleteEach(query.api_key_id, accessibleKeys, (one) => commit(endKey(one)), log);
});
