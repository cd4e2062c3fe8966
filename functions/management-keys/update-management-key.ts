import * as z from "zod";
import { batchGetItem, getItem, queryItems, updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, keyUses, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { keyLabel, teamRoleBindings, wireManagementKey } from "../../lib/domain/management/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import {
  managementRole,
  requireManagementKey,
  requireTeamBindings,
  toWireManagementKey,
} from "../../lib/services/management/management-keys.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

/** Changes the label or the team bindings of a management key; its role stays. Takes effect within a minute. */
export const contract = endpoint({
  operationId: "updateManagementKey",
  method: "PATCH",
  path: "/v1/org/{org_id}/management_key/{key_id}",
  tag: "management-keys",
  summary: "Update a management key",
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), key_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({ label: keyLabel.nullish(), team_role_bindings: teamRoleBindings.nullish() }),
  response: wireManagementKey,
  errors: [NotFound],
  access: [getItem(teams), queryItems(keys), updateItem(keys), batchGetItem(keyUses)],
});

export const handler = implement(contract, async ({ params, body }, { teams, keys, keyUses, commit }) => {
  const found = await requireManagementKey(keys, params.org_id, params.key_id);
  const bindings = body.team_role_bindings;
  const changes = {
    ...(body.label == null ? {} : { label: body.label }),
    ...(bindings ? { team_ids: await requireTeamBindings(teams, params.org_id, managementRole(found), bindings) } : {}),
  };
  if (Object.keys(changes).length > 0) {
    await explainConditionFailed(
      commit(keys.updateItems(found, changes)),
      (cause) => new NotFound("There is no management key with this id.", { cause }),
    );
  }
  const used = await keyUses.getLastUses([found.key_id]);
  return toWireManagementKey({ ...found, ...changes }, used.get(found.key_id));
});
