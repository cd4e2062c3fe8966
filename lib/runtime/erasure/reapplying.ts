import { get, list } from "../../contract/access.ts";
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
import type { UserRecord } from "../../domain/user.ts";
import { type Owner, ownersIn } from "../../store/erasure/kept-owners.ts";
import { TeamScope } from "../../store/team-scope.ts";
import { tableOf } from "../aws.ts";
import { type Uses, usesOf } from "../uses.ts";
import { destroyKey, eraseAll } from "./erasing-users.ts";
import { takeStock, totalOf } from "./taking-stock.ts";

/** All resources of an erasure. An operator runs this; no function has these rights. */
const access = [
  ...[...userPartitions, orders, orderWork, appointments, slots, outbox, eventFeed, usage, userKeys].map((entity) =>
    get(entity),
  ),
  ...[users, reservations, providerAccounts, erasures].map((entity) => get(entity)),
  ...userBuckets.map((bucket) => list(bucket)),
] as const;
type ReapplyingUses = Uses<typeof access>;

/** The result of reapplying erasures to a restored backup. */
export interface Reapplied {
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
export async function reapplyErasures(): Promise<Reapplied> {
  const uses = await usesOf(access);
  const known = new Map<string, Owner>();
  for (const table of tables.filter((one) => one !== erasureTable)) {
    for await (const owner of ownersIn(tableOf(table))) known.set(`${owner.team_id}/${owner.user_id}`, owner);
  }
  let [erased, items] = [0, 0];
  for (const owner of known.values()) {
    if (!(await uses.erasures.get(TeamScope.grant(owner.team_id), owner.user_id))) continue;
    items += await eraseAgain(uses, owner);
    erased++;
  }
  return { users: known.size, erased, items };
}

/** @returns the number of items and objects found. */
async function eraseAgain(uses: ReapplyingUses, owner: Owner): Promise<number> {
  const scope = TeamScope.grant(owner.team_id);
  const user = await uses.users.getAnyState(scope, owner.user_id);
  if (user) await endAgain(uses, scope, user);
  const orderIds = await uses.orders.idsOf(scope, owner.user_id);
  const stock = await takeStock(uses, scope, owner.user_id, orderIds);
  // The first erasure corrected the team's counters, which are newer than the backup.
  await uses.usage.forgetUser(scope, owner.user_id);
  await eraseAll(uses, scope, owner.user_id, orderIds);
  await destroyKey(uses, scope, owner.user_id, orderIds);
  await uses.commit([uses.users.removeErasedItem(scope, owner.user_id)]);
  return totalOf(stock) + (user ? 1 : 0);
}

/** Moves a restored user back to the state at the start of the erasure. */
async function endAgain(uses: ReapplyingUses, scope: TeamScope, user: UserRecord): Promise<void> {
  if (user.lifecycle === "erasing") return;
  const { users, reservations, providerAccounts, commit } = uses;
  const held = await reservations.get(scope, user.client_user_id);
  await commit([
    users.eraseAgainItem(scope, user),
    ...providerAccounts.disconnectItems(scope, user),
    ...(held?.user_id === user.user_id ? [reservations.freeItem(scope, user, held.state)] : []),
  ]);
}
