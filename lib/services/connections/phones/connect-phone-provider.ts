import { getItem, putItem, updateItem } from "../../../contract/access.ts";
import { outbox, providerAccounts, users } from "../../../contract/resources.ts";
import type { Team } from "../../../domain/management/records.ts";
import type { Connection, UserRecord } from "../../../domain/users/user.ts";
import { connectionEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { LinkRefused, UserNotFound } from "../../../runtime/errors.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { providerSource } from "../../../runtime/wire-source.ts";
import { explainConditionFailed, retryConditionFailed } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

type ConnectPhoneDependencies = Dependencies<"users" | "providerAccounts" | "outbox" | "commit">;

/** Grants of {@link connectPhoneProvider}. */
export const connectPhoneProviderAccess = [
  getItem(users),
  updateItem(users),
  updateItem(providerAccounts),
  putItem(outbox),
] as const;

/** The team that connects one of its users. */
interface ConnectingTeam {
  readonly scope: TeamScope;
  readonly team: Team;
}

/** A provider without a login, and the provider's id of the user if the team knows it. */
interface PhoneAccount {
  readonly provider: string;
  readonly accountId: string | undefined;
}

/** Position of the write whose failed condition means an account of another user. */
const ACCOUNT = 1;

/**
 * Connects a user to a provider without a login. A connection with the same account stays as it is, and no event
 * follows. Retries on concurrent changes of the user.
 * @throws UserNotFound; LinkRefused for an account of another user if the team rejects duplicates.
 */
export async function connectPhoneProvider(
  deps: ConnectPhoneDependencies,
  by: ConnectingTeam,
  userId: string,
  account: PhoneAccount,
): Promise<void> {
  await retryConditionFailed(async () => {
    const user = await deps.users.get(by.scope, userId);
    if (!user) throw new UserNotFound();
    const known = user.connections[account.provider];
    const accountId = account.accountId ?? (known?.demo ? undefined : known?.external_user_id);
    const isConnected = known?.status === "connected" && !known.demo && known.external_user_id === accountId;
    if (!isConnected) await commitConnection(deps, by, user, { ...account, accountId });
  });
}

async function commitConnection(
  { users, providerAccounts, outbox, commit }: ConnectPhoneDependencies,
  { scope, team }: ConnectingTeam,
  user: UserRecord,
  { provider, accountId }: PhoneAccount,
): Promise<void> {
  const now = isoNow();
  const known = accountId === undefined ? undefined : { provider, accountId };
  const connection: Connection = {
    created_on: now,
    status: "connected",
    ...(known ? { external_user_id: known.accountId } : {}),
  };
  const { reject_duplicate_connection: alone } = team.settings;
  const accounts = known
    ? providerAccounts.connectItems(scope, known, user, alone)
    : providerAccounts.disconnectItems(scope, user, [provider]);
  const written = commit([
    users.putConnectionItem(scope, user.user_id, provider, connection, { all: user.connections }),
    ...accounts,
    outbox.appendItem(connectionEvent(user, providerSource(provider), connection), now),
  ]);
  await explainConditionFailed(written, (failure) =>
    known && failure.items.has(ACCOUNT)
      ? new LinkRefused("duplicate_connection", "Another user is connected to this account.")
      : failure,
  );
}
