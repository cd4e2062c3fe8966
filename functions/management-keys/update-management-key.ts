import * as z from "zod";
import { get, getMany, query, update } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { keys, keyUses, teams } from "../../lib/contract/resources.ts";
import { keyLabel, teamRoleBindings, wireManagementKey } from "../../lib/domain/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  requireBindings,
  requireManagementKey,
  roleOf,
  toWireManagementKey,
} from "../../lib/runtime/management-keys.ts";
import { ConditionFailed } from "../../lib/store/condition-failed.ts";

/** Changes the label or the team bindings of a management key; its role stays. Takes effect within a minute. */
export const contract = endpoint({
  operationId: "updateManagementKey",
  method: "PATCH",
  path: "/v1/org/{org_id}/management_key/{key_id}",
  tag: "management-keys",
  summary: "Update a management key",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), key_id: z.guid().toLowerCase() }),
  query: nothing,
  body: z.object({ label: keyLabel.nullish(), team_role_bindings: teamRoleBindings.nullish() }),
  response: wireManagementKey,
  errors: [NotFound],
  access: [get(teams), query(keys), update(keys), getMany(keyUses)],
});

export const handler = implement(contract, async ({ params, body }, { teams, keys, keyUses, commit }) => {
  const found = await requireManagementKey(keys, params.org_id, params.key_id);
  const bindings = body.team_role_bindings;
  const changes = {
    ...(body.label == null ? {} : { label: body.label }),
    ...(bindings ? { team_ids: await requireBindings(teams, params.org_id, roleOf(found), bindings) } : {}),
  };
  try {
    if (Object.keys(changes).length > 0) await commit(keys.changeItems(found, changes));
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw new NotFound("There is no management key with this id.", { cause: error });
  }
  const used = await keyUses.lastUses([found.key_id]);
  return toWireManagementKey({ ...found, ...changes }, used.get(found.key_id));
});
