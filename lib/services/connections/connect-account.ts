import { getItem, putItem, updateItem } from "../../contract/access.ts";
import { linkTokens, outbox, providerAccounts, users } from "../../contract/resources.ts";
import { LinkFailed } from "../../domain/connections/link/link-errors.ts";
import type { Connection, UserRecord } from "../../domain/users/user.ts";
import { connectionEvent } from "../../events/constructors/connection-events.ts";
import type { LinkCaller } from "../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import { providerSource } from "../../runtime/wire-source.ts";
import { type ConditionFailed, explainConditionFailed } from "../../store/condition-failed.ts";
import type { ProviderAccount } from "../../store/connections/provider-accounts.ts";
import type { WriteItem } from "../../store/transaction.ts";

export type ConnectAccountDependencies = Dependencies<
  "users" | "outbox" | "linkTokens" | "providerAccounts" | "commit"
>;

/** Grants of {@link connectAccount}. */
export const connectAccountAccess = [
  getItem(users),
  updateItem(users),
  updateItem(linkTokens),
  updateItem(providerAccounts),
  putItem(outbox),
] as const;

/** Returns further writes of a connection. @param connectedOn its creation, ISO 8601. */
type AdditionalItems = (connectedOn: string, user: UserRecord) => Promise<readonly WriteItem[]>;

/** Positions of the writes whose failed condition has a meaning. */
const [USER, TOKEN, ACCOUNT] = [0, 1, 2];

/**
 * Connects the user of a link token. One transaction writes the connection, consumes the token, claims the account and
 * records the event.
 * @throws LinkFailed for a token that was used meanwhile, and for an account of another user if the team rejects
 * duplicates.
 */
export async function connectAccount(
  deps: ConnectAccountDependencies,
  caller: LinkCaller,
  account: ProviderAccount,
  also: AdditionalItems = async () => [],
): Promise<void> {
  const { scope, team, token, tokenHash } = caller;
  const user = await deps.users.get(scope, token.user_id);
  if (!user) throw new LinkFailed("invalid_token", "The user of this link does not exist.");
  const { provider, accountId } = account;
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: accountId };
  const items = [
    deps.users.putConnectionItem(scope, user.user_id, provider, connection),
    deps.linkTokens.consumeItem(tokenHash, now),
    ...deps.providerAccounts.connectItems(scope, account, user, team.settings.reject_duplicate_connection),
    ...(await also(now, user)),
    deps.outbox.appendItem(connectionEvent(user, providerSource(provider), connection), now),
  ];
  await explainConditionFailed(deps.commit(items), toLinkFailed);
}

function toLinkFailed({ items }: ConditionFailed): Error {
  if (items.has(USER)) return new LinkFailed("invalid_token", "The user of this link does not exist.");
  if (items.has(ACCOUNT)) {
    return new LinkFailed("duplicate_connection", "Another user is connected to this account.");
  }
  const used = items.get(TOKEN)?.used_at !== undefined;
  return used
    ? new LinkFailed("token_consumed", "The link was already used for a connection.")
    : new LinkFailed("token_expired", "The link has expired.");
}
