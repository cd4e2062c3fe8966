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

export const contract = endpoint({
  operationId: "updateManagementKey",
  method: "PATCH",
  path: "/v1/org/{org_id}/management_key/{key_id}",
  tag: "management-keys",
  summary: "Update a management key",
  description: [
    "Changes the label or the team bindings of a management key; absent and null fields stay as they are.",
    "The role stays: create another key for another role.",
    "`team_role_bindings` replaces all bindings, 1 to 50, and takes effect within a minute.",
    "An `org_admin` key takes no bindings and returns 422.",
  ],
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
