import { LinkFailed } from "../domain/linking/link-errors.ts";
import type { linkToken } from "../domain/linking/link-token.ts";
import type { Connection, UserRecord } from "../domain/user.ts";
import { connectionEvent } from "../events/connection-events.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { isoNow } from "../runtime/ports.ts";
import { providerSource } from "../runtime/wire-source.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import type { ProviderAccount, ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";

export interface ConnectingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly linkTokens: OneTimeTokenStore<typeof linkToken>;
  readonly providerAccounts: ProviderAccountStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Returns further writes of a connection. @param connectedOn its creation, ISO 8601. */
type Also = (connectedOn: string, user: UserRecord) => Promise<readonly WriteItem[]>;

/** Positions of the writes whose failed condition has a meaning. */
const [USER, TOKEN, ACCOUNT] = [0, 1, 2];

/**
 * Connects the user of a link token. One transaction writes the connection, consumes the token, claims the account and
 * records the event.
 * @throws LinkFailed for a token that was used meanwhile, and for an account of another user if the team rejects
 * duplicates.
 */
export async function connect(
  uses: ConnectingUses,
  caller: LinkCaller,
  account: ProviderAccount,
  also: Also = async () => [],
): Promise<void> {
  const { scope, team, token, tokenHash } = caller;
  const user = await uses.users.get(scope, token.user_id);
  if (!user) throw new LinkFailed("invalid_token", "The user of this link does not exist.");
  const { provider, accountId } = account;
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: accountId };
  const items = [
    uses.users.connectItem(scope, user.user_id, provider, connection),
    uses.linkTokens.useItem(tokenHash, now),
    uses.providerAccounts.connectItem(scope, account, user.user_id, team.settings.reject_duplicate_connection),
    ...uses.providerAccounts.leaveItems(scope, user, account),
    ...(await also(now, user)),
    uses.outbox.addItem(connectionEvent(user, providerSource(provider), connection), now),
  ];
  await uses.commit(items).catch((error) => {
    throw error instanceof ConditionFailed ? reasonOf(error) : error;
  });
}

function reasonOf({ items }: ConditionFailed): Error {
  if (items.has(USER)) return new LinkFailed("invalid_token", "The user of this link does not exist.");
  if (items.has(ACCOUNT)) {
    return new LinkFailed("duplicate_connection", "Another user is connected to this account.");
  }
  const used = items.get(TOKEN)?.used_at !== undefined;
  return used
    ? new LinkFailed("token_consumed", "The link was already used for a connection.")
    : new LinkFailed("token_expired", "The link has expired.");
}
