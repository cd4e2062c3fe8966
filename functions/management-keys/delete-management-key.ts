import * as z from "zod";
import { deleteItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { keys } from "../../lib/contract/resources.ts";
import { noFields, successResponse } from "../../lib/contract/shared-schemas.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { requireManagementKey } from "../../lib/services/management/management-keys.ts";
import { explainConditionFailed } from "../../lib/store/condition-failed.ts";

/**
 * Deletes a management key. The key stops working within a minute. After the last key is deleted, only the operator can
 * create another one.
 */
export const contract = endpoint({
  operationId: "deleteManagementKey",
  method: "DELETE",
  path: "/v1/org/{org_id}/management_key/{key_id}",
  tag: "management-keys",
  summary: "Delete a management key",
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
