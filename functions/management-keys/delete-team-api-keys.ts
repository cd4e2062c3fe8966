import * as z from "zod";
import { query, remove } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys } from "../../lib/contract/resources.ts";
import { environments, regions } from "../../lib/domain/identity.ts";
import { idsToDelete, wireDeletions } from "../../lib/domain/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { deleteEach, requireServed } from "../../lib/runtime/management.ts";
import { listOf } from "../../lib/store/keys.ts";

/** Deletes API keys: each is dead within a minute. One of a team out of reach is not found. */
export const contract = endpoint({
  operationId: "deleteTeamApiKeys",
  method: "DELETE",
  path: "/v1/org/{org_id}/team_api_keys/{env}/{region}",
  tag: "management-keys",
  summary: "Delete API keys of teams",
  auth: "management",
  scope: "team",
  params: z.object({ org_id: z.guid().toLowerCase(), env: z.enum(environments), region: z.enum(regions) }),
  query: z.object({ api_key_id: idsToDelete }),
  response: wireDeletions,
  errors: [NotFound],
  access: [query(keys), remove(keys)],
});

export const handler = implement(contract, async ({ key, params, query, log }, { keys, commit }) => {
  requireServed(params);
  const all = await keys.listAll(params.org_id, listOf.apiKeys);
  const isReached = (teamIds: readonly string[]) =>
    key.kind === "org_admin" || teamIds.every((id) => key.team_ids.includes(id));
  const reached = new Map(all.filter(({ team_ids }) => isReached(team_ids)).map((one) => [one.id, one]));
  return deleteEach(query.api_key_id, reached, (one) => commit(keys.removeItems(one)), log);
});
