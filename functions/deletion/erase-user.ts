import { deleteItem, getItem, grants, putItem, updateItem } from "../../lib/contract/access.ts";
import { consumer } from "../../lib/contract/consumer.ts";
import { erasures, users } from "../../lib/contract/resources.ts";
import { deletionInput } from "../../lib/domain/erasure/deletion-input.ts";
import { consume } from "../../lib/runtime/consume.ts";
import { isoNow } from "../../lib/runtime/ports.ts";
import {
  countConsentOutcomes,
  destroyUserKey,
  eraseUserData,
  eraseUserItemsAccess,
  eraseUserPartitionsAccess,
} from "../../lib/services/erasure/erase-user-data.ts";
import { takeInventory } from "../../lib/services/erasure/inventory.ts";
import { TeamScope } from "../../lib/store/team-scope.ts";

/**
 * Erases all data of a user, scans every place for leftovers and destroys the user key. The last transaction writes the
 * certificate and deletes the user record. After an interruption or a leftover, run the function again: each step is
 * idempotent.
 */
export const contract = consumer({
  operationId: "eraseUser",
  tag: "deletion",
  summary: "Erase the data of a user",
  trigger: { kind: "task" },
  message: deletionInput,
  access: grants(
    eraseUserItemsAccess,
    [getItem(users), deleteItem(users), getItem(erasures), putItem(erasures), updateItem(erasures)],
    eraseUserPartitionsAccess,
  ),
  timeoutS: 300,
});

export const handler = consume(contract, async ({ message, log }, deps) => {
  const { deletion_id, team_id, user_id, erase_at } = message;
  const scope = TeamScope.grant(team_id);
  const existing = await deps.erasures.get(scope, user_id);
  const user = await deps.users.getAnyState(scope, user_id);
  // If the erasure is complete but the user exists, the user came back with a restored backup.
  if (existing?.erased_at !== undefined && !user) return { erased: existing.stores };
  const orderIds = [...new Set([...(existing?.order_ids ?? []), ...(await deps.orders.listIdsByUser(scope, user_id))])];
  const { stores } = existing ?? (await takeInventory(deps, scope, user_id, orderIds));
  const requested_at = user?.deletion_requested_at ?? erase_at;
  const consents = existing?.consents ?? (await countConsentOutcomes(deps, scope, user_id));
  const startedErasure = { deletion_id, requested_at, stores, consents, order_ids: orderIds };
  const erasure = await deps.erasures.start(scope, user_id, startedErasure);
  await eraseUserData(deps, scope, user_id, orderIds);
  const scan = { places: await destroyUserKey(deps, scope, user_id, orderIds), found: 0 };
  const end = deps.erasures.completeItem(scope, user_id, { erased_at: isoNow(), scan });
  await deps.commit([end, deps.users.deleteErasedItem(scope, user_id)]);
  log.info("user erased", { deletion_id, ...erasure.stores });
  return { erased: erasure.stores };
});
