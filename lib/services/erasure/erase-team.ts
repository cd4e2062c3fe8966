import {
  deleteItem,
  eraseItems,
  getItem,
  grants,
  putItem,
  queryItems,
  startExecution,
  updateItem,
} from "../../contract/access.ts";
import {
  deletionStateMachine,
  keys,
  providerAccounts,
  quotas,
  reservations,
  teams,
  users,
} from "../../contract/resources.ts";
import { lakeTableNames, lakeTablePrefix } from "../../domain/lake/lake-tables.ts";
import type { Team } from "../../domain/management/records.ts";
import { openTable } from "../../runtime/aws/aws.ts";
import type { DeletionMachine } from "../../runtime/aws/deletion-machine.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { isConditionMet } from "../../store/condition-failed.ts";
import type { ProviderAccountStore } from "../../store/connections/provider-accounts.ts";
import { hasPendingErasures } from "../../store/erasure/pending-erasures.ts";
import { listTeamPartitions, teamPartitions } from "../../store/erasure/team-partitions.ts";
import { type KeyStore, keyListPrefixes } from "../../store/management/keys.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { QuotaStore } from "../../store/usage/quotas.ts";
import type { ReservationStore } from "../../store/users/reservations.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Dependencies of a team's erasure. */
interface GrantedDependencies {
  readonly teams: TeamStore;
  readonly users: UserStore;
  readonly reservations: ReservationStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly deletions: DeletionMachine;
  readonly keys: KeyStore;
  readonly quotas: QuotaStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Grants to start the erasure of a team and of its users, and to delete its keys and partitions. */
export const eraseTeamAccess = grants(
  putItem(teams),
  [queryItems(users, "team_users"), queryItems(users, "due"), getItem(users), updateItem(users)],
  [updateItem(reservations), updateItem(providerAccounts), updateItem(quotas), startExecution(deletionStateMachine)],
  [queryItems(keys), deleteItem(keys)],
  teamPartitions.flatMap((entity) => eraseItems(entity)),
);

/** Maximum number of user erasures that one run starts. The next run continues. */
const USERS_PER_RUN = 1_000;
const USERS_AT_ONCE = 10;

/** Moves a team from pending_erasure to erasing. @returns true if the team is erasing, now or since an earlier run. */
export async function startTeamErasure(team: Team, { teams, quotas, commit }: GrantedDependencies): Promise<boolean> {
  if (team.lifecycle === "erasing") return true;
  const items = [teams.startErasureItem(team), ...(team.is_counted ? [quotas.releaseTeamItem(team.org_id)] : [])];
  return isConditionMet(commit(items));
}

/** Starts the erasure of a team's users without a grace period. @returns whether the team has no users left. */
export async function startUserErasures(scope: TeamScope, deps: GrantedDependencies): Promise<boolean> {
  const ids = await deps.users.listIds(scope);
  for (let first = 0; first < Math.min(ids.length, USERS_PER_RUN); first += USERS_AT_ONCE) {
    const some = ids.slice(first, Math.min(first + USERS_AT_ONCE, USERS_PER_RUN));
    await Promise.all(some.map((userId) => startUserErasure(scope, userId, deps)));
  }
  return ids.length === 0 && !(await hasOpenErasures(scope, deps));
}

/**
 * Whether erasures of users are open, including those whose state machine has not started yet. A key that a container
 * still knows may delete a user up to a minute after the team. The end of such a grace period is near.
 */
async function hasOpenErasures(scope: TeamScope, { users }: GrantedDependencies): Promise<boolean> {
  if (await hasPendingErasures(users, scope)) return true;
  const { due } = await users.listDueDeletions(isoNow());
  return due.some(({ team_id }) => team_id === scope.teamId) || (await users.hasErasingUsers(scope));
}

/**
 * Starts the erasure of an active user. A pending deletion ends by itself: its grace period began before the team's, or
 * within a minute after.
 */
async function startUserErasure(scope: TeamScope, userId: string, deps: GrantedDependencies) {
  const { users, reservations, providerAccounts, deletions, commit } = deps;
  const user = await users.get(scope, userId);
  if (!user) return;
  const now = isoNow();
  const input = { deletion_id: ports().ids.uuid(), erase_at: now, team_id: scope.teamId, user_id: userId };
  const pending = { ...user, lifecycle: "pending_erasure" as const, deletion_requested_at: now, ...input };
  const released = reservations.transitionItem(scope, user, "held", "released");
  await commit([users.requestErasureItem(scope, pending), released, ...providerAccounts.disconnectItems(scope, user)]);
  await deletions.start(input);
}

/** Erases the team's data apart from users and keys. @returns the number of erased items. */
export async function eraseTeamPartitions(scope: TeamScope): Promise<number> {
  let erased = 0;
  for (const entity of teamPartitions) {
    for (const partition of listTeamPartitions(entity, scope))
      erased += await openTable(entity.table).deletePartition(partition);
  }
  return erased;
}

/** Deletes the tables of a team's lake. */
export async function eraseTeamLake({ lake }: Dependencies<"lake">, { teamId }: TeamScope): Promise<void> {
  for (const name of lakeTableNames) await lake.deleteAll(lakeTablePrefix(teamId, name));
}

/** Deletes the API keys of a team, and the key of its sign-in provider. */
export async function eraseTeamKeys({ org_id, team_id }: Team, { keys, commit }: GrantedDependencies): Promise<void> {
  for (const prefix of [keyListPrefixes.apiKeysOf(team_id), keyListPrefixes.providerKeysOf(team_id)])
    for (const key of await keys.listAll(org_id, prefix)) await commit(keys.deleteItems(key));
}
