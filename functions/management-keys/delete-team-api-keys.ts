import * as z from "zod";
import { query, remove, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { queryBoolean } from "../../lib/contract/parts.ts";
import { keys } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { idsToDelete, wireDeletions } from "../../lib/domain/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { deleteEach, requireServed } from "../../lib/runtime/management.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import { type ListedKey, listOf } from "../../lib/store/keys.ts";

/**
 * Deletes or retires API keys. Each stops working within a minute, and the credentials that a deleted key issued stop
 * with it. A key of a team that the management key cannot access counts as not found.
 */
export const contract = endpoint({
  operationId: "deleteTeamApiKeys",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "Delete API keys of teams",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: z.object({
    api_key_id: idsToDelete,
    keep_made: queryBoolean
      .default(false)
      .meta({
        description: "Retires the keys: they no longer authenticate, but the credentials that they issued stay valid",
      }),
  }),
  response: wireDeletions,
  errors: [NotFound],
  access: [query(keys), remove(keys), update(keys)],
});

export const handler = implement(contract, async ({ key, params, query, log }, { keys, commit }) => {
  requireServed(params);
  const all = await keys.listAll(params.org_id, listOf.apiKeys);
  const isReached = (teamIds: readonly string[]) =>
    key.kind === "org_admin" || teamIds.every((id) => key.team_ids.includes(id));
  const reached = new Map(all.filter(({ team_ids }) => isReached(team_ids)).map((one) => [one.id, one]));
  const end = (one: ListedKey) =>
    query.keep_made ? keys.changeItems(one, { retired_at: one.retired_at ?? isoNow() }) : keys.removeItems(one);
  return deleteEach(query.api_key_id, reached, (one) => commit(end(one)), log);
});
