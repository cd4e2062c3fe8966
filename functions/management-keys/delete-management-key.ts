import * as z from "zod";
import { deleteItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireManagementKey } from "../../lib/services/management/management-keys.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

export const contract = endpoint({
  operationId: "deleteManagementKey",
  method: "DELETE",
  path: "/v1/org/{org_id}/management_key/{key_id}",
  tag: "management-keys",
  summary: "Delete a management key",
  description: [
    "Deletes a management key, which stops working within a minute.",
    "Access tokens that it created, and the credentials that these created, end with it.",
    "A key may delete itself. After the last key of the organisation, only the operator can create another one.",
    "An unknown or deleted key returns `not_found`.",
  ],
  auth: "management",
  params: z.object({ org_id: z.guid().toLowerCase(), key_id: z.guid().toLowerCase() }),
  query: noFields,
  response: successResponse,
  errors: [NotFound],
  access: [queryItems(keys), deleteItem(keys)],
});

export const handler = implement(contract, async ({ params }, { keys, commit }) => {
  const found = await requireManagementKey(keys, params.org_id, params.key_id);
  await explainConditionFailed(
    commit(keys.deleteItems(found)),
    (cause) => new NotFound("There is no management key with this id.", { cause }),
  );
  return { success: true };
});
