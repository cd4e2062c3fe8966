import { getItem, listBucket } from "../../contract/access.ts";
import {
  appointments,
  erasures,
  erasureTable,
  eventFeed,
  orders,
  orderWork,
  outbox,
  providerAccounts,
  reservations,
  slots,
  tables,
  usage,
  userKeys,
  users,
} from "../../contract/resources.ts";
import { userBuckets, userPartitions } from "../../contract/user-partitions.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { openTable } from "../../runtime/aws/aws.ts";
import { type GrantedDependencies, resolveDependencies } from "../../runtime/dependencies.ts";
import { type DataOwner, scanDataOwners } from "../../store/erasure/scan-data-owners.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { destroyUserKey, eraseUserData } from "./erase-user-data.ts";
import { inventoryTotal, takeInventory } from "./inventory.ts";

/** All resources of an erasure. An operator runs this; no function has these rights. */
const access = [
  ...[...userPartitions, orders, orderWork, appointments, slots, outbox, eventFeed, usage, userKeys].map((entity) =>
    getItem(entity),
  ),
  ...[users, reservations, providerAccounts, erasures].map((entity) => getItem(entity)),
  ...userBuckets.map((bucket) => listBucket(bucket)),
] as const;
type ReapplyErasuresDependencies = GrantedDependencies<typeof access>;

/** The result of reapplying erasures to a restored backup. */
export interface ReapplyReport {
  /** Users with data in the tables. */
  readonly users: number;
  /** Users of the erasure list, now erased again. */
  readonly erased: number;
  /** Items and objects found of the erased users. */
  readonly items: number;
}

/**
 * Erases again the users that a restored backup brought back. These are users with data whom the erasure list names,
 * which is stored separately. Run it before the service is used again. Repeatable.
 */
export async function reapplyErasures(): Promise<ReapplyReport> {
  const deps = await resolveDependencies(access);
  const known = new Map<string, DataOwner>();
  for (const table of tables.filter((one) => one !== erasureTable)) {
    for await (const owner of scanDataOwners(openTable(table))) known.set(`${owner.team_id}/${owner.user_id}`, owner);
  }
  let [erased, items] = [0, 0];
  for (const owner of known.values()) {
    if (!(await deps.erasures.get(TeamScope.grant(owner.team_id), owner.user_id))) continue;
    items += await eraseAgain(deps, owner);
    erased++;
  }
  return { users: known.size, erased, items };
}

/** @returns the number of items and objects found. */
async function eraseAgain(deps: ReapplyErasuresDependencies, owner: DataOwner): Promise<number> {
  const scope = TeamScope.grant(owner.team_id);
  const user = await deps.users.getAnyState(scope, owner.user_id);
  if (user) await restoreErasingState(deps, scope, user);
  const orderIds = await deps.orders.listIdsByUser(scope, owner.user_id);
  const stock = await takeInventory(deps, scope, owner.user_id, orderIds);
  // The first erasure corrected the team's counters, which are newer than the backup.
  await deps.usage.removeUser(scope, owner.user_id);
  await eraseUserData(deps, scope, owner.user_id, orderIds);
  await destroyUserKey(deps, scope, owner.user_id, orderIds);
  await deps.commit([deps.users.deleteErasedItem(scope, owner.user_id)]);
  return inventoryTotal(stock) + (user ? 1 : 0);
}

/** Moves a restored user back to the state at the start of the erasure. */
async function restoreErasingState(
  deps: ReapplyErasuresDependencies,
  scope: TeamScope,
  user: UserRecord,
): Promise<void> {
  if (user.lifecycle === "erasing") return;
  const { users, reservations, providerAccounts, commit } = deps;
  const held = await reservations.get(scope, user.client_user_id);
  await commit([
    users.restartErasureItem(scope, user),
    ...providerAccounts.disconnectItems(scope, user),
    ...(held?.user_id === user.user_id ? [reservations.releaseItem(scope, user, held.state)] : []),
  ]);
}
