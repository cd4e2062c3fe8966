import type { Team } from "../../domain/identity.ts";
import { newUser, type UserDraft, type UserRecord } from "../../domain/user.ts";
import { ConditionFailed } from "../../store/condition-failed.ts";
import type { QuotaPlace, QuotaStore } from "../../store/quotas.ts";
import type { ReservationStore } from "../../store/reservations.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import type { UserStore } from "../../store/users.ts";
import { ClientUserIdTaken } from "../errors.ts";
import { isoNow, ports } from "../ports.ts";
import { inUserQuota } from "../quotas.ts";
import type { UserKeyRing } from "../user-keys.ts";

/** Dependencies of creating a user. */
export interface CreatingUses {
  readonly users: Pick<UserStore, "createItem">;
  readonly reservations: Pick<ReservationStore, "takeItem">;
  readonly quotas: Pick<QuotaStore, "takeUserItem">;
  readonly userKeys: Pick<UserKeyRing, "createItem">;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/**
 * Creates a user and its encryption key, within the quota of its team.
 * @throws ClientUserIdTaken with the holder; QuotaReached.
 */
export async function createUserOf(
  { scope, team }: { readonly scope: TeamScope; readonly team: Team },
  draft: UserDraft,
  { users, reservations, quotas, userKeys, commit }: CreatingUses,
): Promise<UserRecord> {
  const user = newUser(draft, { userId: ports().ids.uuid(), teamId: scope.teamId }, isoNow());
  const key = await userKeys.createItem(scope, user.user_id);
  const create = (place?: QuotaPlace) =>
    commit([
      users.createItem(scope, place ? { ...user, quota_place: place.place } : user),
      reservations.takeItem(scope, user),
      ...(place ? [quotas.takeUserItem(scope, place)] : []),
      key,
    ]);
  const isFull = ({ items }: ConditionFailed) => items.has(2) && items.size === 1;
  try {
    await inUserQuota(team, ports().ids.bytes(1).readUInt8(), create, isFull);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
    throw ClientUserIdTaken.by(error.items.get(1));
  }
  return user;
}
