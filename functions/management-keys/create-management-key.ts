import * as z from "zod";
import { getItem, putItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys, teams } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { generateApiKey } from "../../lib/crypto/api-key.ts";
import {
  keyLabel,
  managementRoles,
  teamRoleBindings,
  wireCreatedManagementKey,
} from "../../lib/domain/management/wire-key.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { isoNow, ports } from "../../lib/runtime/ports.ts";
import { requireTeamBindings, toWireManagementKey } from "../../lib/services/management/management-keys.ts";

export const contract = endpoint({
  operationId: "createManagementKey",
  method: "POST",
  path: "/v1/org/{org_id}/management_key",
  tag: "management-keys",
  summary: "Create a management key",
  description: [
    "Creates a management key for the whole organisation (`org_admin`) or bound to teams (`team_admin`).",
    "Only this response contains the whole key, because only its hash is stored.",
    "A `team_admin` key needs 1 to 50 bindings in `team_role_bindings`; an `org_admin` key takes none.",
    "The key works at once and does not expire. A repeated call creates another key.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase() }),
  query: noFields,
  body: z.object({ label: keyLabel, role: z.enum(managementRoles), team_role_bindings: teamRoleBindings.nullish() }),
  response: wireCreatedManagementKey,
  errors: [NotFound],
  access: [getItem(teams), putItem(keys)],
});

export const handler = implement(contract, async ({ params, body }, { teams, keys, commit }) => {
  const { label, role, team_role_bindings } = body;
  const team_ids = await requireTeamBindings(teams, params.org_id, role, team_role_bindings);
  const { key, ...kept } = generateApiKey("mg", ports().ids.bytes);
  const about = { id: ports().ids.uuid(), kind: role, label, created_at: isoNow(), org_id: params.org_id, team_ids };
  await commit(keys.createItems({ ...kept, ...about }));
  return { ...toWireManagementKey({ ...kept, ...about }, undefined), key };
});
