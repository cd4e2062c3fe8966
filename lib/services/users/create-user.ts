import { putItem, queryItems, updateItem } from "../../contract/access.ts";
import { quotas, reservations, users } from "../../contract/resources.ts";
import { createUserKeyAccess } from "../../contract/user-key-access.ts";
import type { Team } from "../../domain/management/records.ts";
import { newUser, type UserDraft, type UserRecord } from "../../domain/users/user.ts";
import type { UserKeyRing } from "../../runtime/aws/user-key-ring.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ClientUserIdTaken } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { explainConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { QuotaStore, UserPlace } from "../../store/usage/quotas.ts";
import type { ReservationStore } from "../../store/users/reservations.ts";
import type { UserStore } from "../../store/users/users.ts";
import { createWithinUserQuota } from "../usage/user-quota.ts";

/** Dependencies of creating a user. */
export type CreateUserDependencies = Dependencies<"commit"> & {
  readonly users: Pick<UserStore, "createItem">;
  readonly reservations: Pick<ReservationStore, "reserveItem">;
  readonly quotas: Pick<QuotaStore, "reserveUserItems" | "countUsers">;
  readonly userKeys: Pick<UserKeyRing, "createItem">;
};

/** Grants of {@link createUser}. */
export const createUserAccess = [
  putItem(users),
  putItem(reservations),
  queryItems(quotas),
  updateItem(quotas),
  ...createUserKeyAccess,
] as const;

/**
 * Creates a user and its encryption key, within the quota of its team.
 * @throws ClientUserIdTaken with the holder; QuotaReached; Unavailable while others change the counters all the time.
 */
export async function createUser(
  { scope, team }: { readonly scope: TeamScope; readonly team: Team },
  draft: UserDraft,
  { users, reservations, quotas, userKeys, commit }: CreateUserDependencies,
): Promise<UserRecord> {
  const user = newUser(draft, { userId: ports().ids.uuid(), teamId: scope.teamId }, isoNow());
  const key = await userKeys.createItem(scope, user.user_id);
  const create = (place: UserPlace) =>
    commit([
      users.createItem(scope, { ...user, quota_place: place.shard }),
      reservations.reserveItem(scope, user),
      key,
      ...quotas.reserveUserItems(scope, place),
    ]);
  const created = createWithinUserQuota(team, {
    first: ports().ids.bytes(1).readUInt8(),
    count: () => quotas.countUsers(scope),
    create,
    isRaced: ({ items }) => items.size > 0 && [...items.keys()].every((item) => item > 2),
  });
  await explainConditionFailed(created, ({ items }) => ClientUserIdTaken.fromReservation(items.get(1)));
  return user;
}
