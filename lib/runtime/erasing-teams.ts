import type { Team } from "../domain/identity.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { TeamStore } from "../store/identity.ts";
import { type KeyStore, listOf } from "../store/keys.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { QuotaStore } from "../store/quotas.ts";
import type { ReservationStore } from "../store/reservations.ts";
import { teamPartitions } from "../store/team-partitions.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { tableOf } from "./aws.ts";
import type { Deletions } from "./deletions.ts";
import { isoNow, ports } from "./ports.ts";

/** Dependencies of a team's erasure. */
interface Uses {
  readonly teams: TeamStore;
  readonly users: UserStore;
  readonly reservations: ReservationStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly deletions: Deletions;
  readonly keys: KeyStore;
  readonly quotas: QuotaStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Maximum number of user erasures that one run starts. The next run continues. */
const USERS_PER_RUN = 1_000;
const USERS_AT_ONCE = 10;

/** Moves a team from pending_erasure to erasing. @returns true if the team is erasing, now or since an earlier run. */
export async function beginTeamErasure(team: Team, { teams, quotas, commit }: Uses): Promise<boolean> {
  if (team.lifecycle === "erasing") return true;
  try {
    await commit([teams.beginErasureItem(team), ...(team.is_counted ? [quotas.freeTeamItem(team.org_id)] : [])]);
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return false;
    throw error;
  }
}

/** Starts the erasure of a team's users without a grace period. @returns whether the team has no users left. */
export async function endUsers(scope: TeamScope, uses: Uses): Promise<boolean> {
  const ids = await uses.users.listIds(scope);
  for (let first = 0; first < Math.min(ids.length, USERS_PER_RUN); first += USERS_AT_ONCE) {
    const some = ids.slice(first, Math.min(first + USERS_AT_ONCE, USERS_PER_RUN));
    await Promise.all(some.map((userId) => endUser(scope, userId, uses)));
  }
  return ids.length === 0 && !(await isEnding(scope, uses));
}

/** Whether erasures of users are open, including those whose state machine has not started yet. */
async function isEnding(scope: TeamScope, { users }: Uses): Promise<boolean> {
  const { due } = await users.dueDeletions(isoNow());
  return due.some(({ team_id }) => team_id === scope.teamId) || (await users.isErasing(scope));
}

/**
 * Starts the erasure of an active user. A pending deletion ends by itself: its grace period began before the team's.
 */
async function endUser(scope: TeamScope, userId: string, uses: Uses) {
  const { users, reservations, providerAccounts, deletions, commit } = uses;
  const user = await users.get(scope, userId);
  if (!user) return;
  const now = isoNow();
  const input = { deletion_id: ports().ids.uuid(), erase_at: now, team_id: scope.teamId, user_id: userId };
  const pending = { ...user, lifecycle: "pending_erasure" as const, deletion_requested_at: now, ...input };
  const released = reservations.moveItem(scope, user, "held", "released");
  await commit([users.pendItem(scope, pending), released, ...providerAccounts.disconnectItems(scope, user)]);
  await deletions.start(input);
}

/** Erases the team's data apart from users and keys. @returns the number of erased items. */
export async function erasePartitions({ teamId }: TeamScope): Promise<number> {
  let erased = 0;
  for (const { table, keyPrefix } of teamPartitions) {
    erased += await tableOf(table).erasePartition(`${keyPrefix}${teamId}`);
  }
  return erased;
}

/** Deletes the API keys of a team. */
export async function eraseKeys({ org_id, team_id }: Team, { keys, commit }: Uses): Promise<void> {
  for (const key of await keys.listAll(org_id, listOf.apiKeysOf(team_id))) await commit(keys.removeItems(key));
}
