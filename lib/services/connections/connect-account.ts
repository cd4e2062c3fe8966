import { getItem, grants, putItem, updateItem } from "../../contract/access.ts";
import { linkTokens, outbox, providerAccounts, users } from "../../contract/resources.ts";
import { LinkFailed } from "../../domain/connections/link/link-errors.ts";
import type { ResourceGrant } from "../../domain/connections/resource-availability.ts";
import type { Connection, UserRecord } from "../../domain/users/user.ts";
import { connectionEvent } from "../../events/constructors/connection-events.ts";
import type { LinkCaller } from "../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import { providerSource } from "../../runtime/wire-source.ts";
import { type ConditionFailed, explainConditionFailed, retryConditionFailed } from "../../store/condition-failed.ts";
import type { ProviderAccount } from "../../store/connections/provider-accounts.ts";
import type { WriteItem } from "../../store/transaction.ts";
import {
  type AgreedConnection,
  type GiveConsentDependencies,
  giveConsentAccess,
  giveConsentItems,
} from "./consents/give-consent.ts";

export type ConnectAccountDependencies = GiveConsentDependencies &
  Dependencies<"users" | "outbox" | "linkTokens" | "providerAccounts" | "commit">;

/** Grants of {@link connectAccount}. */
export const connectAccountAccess = grants(
  [getItem(users), updateItem(users), updateItem(linkTokens), updateItem(providerAccounts), putItem(outbox)],
  giveConsentAccess,
);

/** Returns further writes of a connection. @param connectedOn its creation, ISO 8601. */
type AdditionalItems = (connectedOn: string, user: UserRecord) => Promise<readonly WriteItem[]>;

/** What a user agrees to with an account, and the data that the granted scopes open, if the service pulls it. */
type AgreedAccount = Omit<AgreedConnection, "provider"> & { readonly grant?: ResourceGrant };

/** Maximum attempts of a connection while others change the connections of the user. */
const MAX_ATTEMPTS = 10;

/** Positions of the writes whose failed condition has a meaning. */
const [USER, TOKEN, ACCOUNT] = [0, 1, 2];

/**
 * Connects the user of a link token. One transaction writes the connection with the receipt of its consent, consumes the
 * token, claims the account and records the events.
 * Retries on concurrent changes of the connections.
 * @throws LinkFailed for a token that was used meanwhile, and for an account of another user if the team rejects
 * duplicates.
 */
export async function connectAccount(
  deps: ConnectAccountDependencies,
  caller: LinkCaller,
  account: ProviderAccount,
  agreed: AgreedAccount,
  also: AdditionalItems = async () => [],
): Promise<void> {
  await retryConditionFailed(async () => {
    const items = await planConnection(deps, caller, account, agreed, also);
    await explainConditionFailed(deps.commit(items), toLinkFailed);
  }, MAX_ATTEMPTS);
}

async function planConnection(
  deps: ConnectAccountDependencies,
  { scope, team, ...caller }: LinkCaller,
  account: ProviderAccount,
  agreed: AgreedAccount,
  also: AdditionalItems,
): Promise<WriteItem[]> {
  const user = await deps.users.get(scope, caller.token.user_id);
  if (!user) throw new LinkFailed("invalid_token", "The user of this link does not exist.");
  const { provider, accountId } = account;
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: accountId };
  // The consent of a connection that this one replaces ends, so no other may take its place meanwhile.
  const unchanged = { all: user.connections };
  return [
    deps.users.putConnectionItem(scope, user.user_id, provider, connection, unchanged),
    deps.linkTokens.consumeItem(caller.tokenHash, now),
    ...deps.providerAccounts.connectItems(scope, account, user, team.settings.reject_duplicate_connection),
    ...(await also(now, user)),
    ...(await giveConsentItems(deps, { ...caller, scope, team }, user, { ...agreed, provider }, now)),
    deps.outbox.appendItem(connectionEvent(user, providerSource(provider), connection, agreed.grant), now),
  ];
}

function toLinkFailed(failure: ConditionFailed): Error {
  const { items } = failure;
  if (items.has(ACCOUNT)) {
    return new LinkFailed("duplicate_connection", "Another user is connected to this account.");
  }
  if (items.has(TOKEN)) {
    return items.get(TOKEN)?.used_at === undefined
      ? new LinkFailed("token_expired", "The link has expired.")
      : new LinkFailed("token_consumed", "The link was already used for a connection.");
  }
  if (items.has(USER) && items.get(USER)?.lifecycle !== "active") {
    return new LinkFailed("invalid_token", "The user of this link does not exist.");
  }
  // The connections of the user have changed meanwhile.
  return failure;
}
