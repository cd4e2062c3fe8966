import type { Connector } from "../connectors/connector.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import {
  type ConnectionCredentials,
  connectionContext,
  type GrantedTokens,
} from "../domain/linking/connection-credentials.ts";
import { type HistoricalPull, newPull, pullName } from "../domain/linking/historical-pull.ts";
import { LinkFailed } from "../domain/linking/link-errors.ts";
import type { linkToken } from "../domain/linking/link-token.ts";
import type { Connection, UserRecord } from "../domain/user.ts";
import { connectionEvent } from "../events/data-events.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { isoNow } from "../runtime/ports.ts";
import type { Queue } from "../runtime/queue.ts";
import { providerSource } from "../runtime/wire-source.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { OneTimeTokenStore } from "../store/linking/one-time-tokens.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { PullPreferenceStore } from "../store/pull-preferences.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";

export interface ConnectingUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly linkTokens: OneTimeTokenStore<typeof linkToken>;
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly pullPreferences: PullPreferenceStore;
  readonly historicalPulls: HistoricalPullStore;
  readonly historyPulls: Queue;
  readonly credentials: Envelopes;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** What a provider has granted. */
export interface Granted {
  readonly connector: Connector;
  /** The provider's id of the user. */
  readonly accountId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly tokens: GrantedTokens;
  /** ISO 8601; null for access that does not end. */
  readonly accessEndsAt: string | null;
}

/** Places of the writes whose refusal has a meaning. */
const [USER, TOKEN, ACCOUNT] = [0, 1, 2];

/**
 * Connects the user of a link token, in one write with all that follows: the token is consumed, the account taken, the
 * credentials are kept, the event is told.
 * @throws LinkFailed for a token that was used meanwhile, and for an account that another user of the team has, where
 * the team wants none twice.
 */
export async function connect(uses: ConnectingUses, caller: LinkCaller, granted: Granted): Promise<void> {
  const { scope, team, token, tokenHash } = caller;
  const user = await uses.users.get(scope, token.user_id);
  if (!user) throw new LinkFailed("invalid_token", "The user of this link does not exist.");
  const { connector, accountId } = granted;
  const provider = connector.slug;
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: accountId };
  const pulls = await plannedPulls(uses, caller, user, granted, now);
  const items = [
    uses.users.connectItem(scope, user.user_id, provider, connection),
    uses.linkTokens.useItem(tokenHash, now),
    uses.providerAccounts.connectItem(
      scope,
      { provider, accountId },
      user.user_id,
      team.settings.reject_duplicate_connection,
    ),
    ...leaving(uses, caller, user.connections[provider], granted),
    uses.connectionCredentials.putItem(scope, await credentialsOf(uses, caller, granted, now)),
    ...pulls.map((pull) => uses.historicalPulls.putItem(scope, pull)),
    uses.outbox.addItem(connectionEvent(user, providerSource(provider), connection), now),
  ];
  await uses.commit(items).catch((error) => {
    throw error instanceof ConditionFailed ? reasonOf(error) : error;
  });
  const begun = uses.historyPulls.sendAll(
    pulls.map((pull) => pullName.parse(pull)),
    { groupId: scope.teamId },
  );
  // Speed only: what gets lost, the sweeper begins.
  await begun.catch(() => undefined);
}

/** What is pulled of the time before the connection: of each resource that access was given to as much as the team wants. */
async function plannedPulls(
  { pullPreferences }: ConnectingUses,
  { scope }: LinkCaller,
  user: UserRecord,
  { connector, scopes }: Granted,
  now: string,
): Promise<HistoricalPull[]> {
  const { slug: provider, historyDays } = connector;
  const wanted = (await pullPreferences.get(scope))?.providers[provider];
  const granted = connector.resources.filter((resource) => resource.scopes.every((name) => scopes.includes(name)));
  return granted.flatMap(({ name: resource }) => {
    const preferred = wanted?.resource_overrides?.[resource] ?? wanted?.default;
    const days = preferred?.historical_days_to_pull ?? historyDays;
    const name = { team_id: scope.teamId, user_id: user.user_id, provider, resource };
    return days > 0 ? [newPull(name, now, days)] : [];
  });
}

/** The account that the user was connected to before is left. */
function leaving(
  { providerAccounts }: ConnectingUses,
  { scope, token }: LinkCaller,
  before: Connection | undefined,
  { connector: { slug: provider }, accountId }: Granted,
): WriteItem[] {
  const left = before?.external_user_id;
  if (left === undefined || left === accountId) return [];
  return [providerAccounts.disconnectItem(scope, { provider, accountId: left }, token.user_id)];
}

async function credentialsOf(
  { credentials }: ConnectingUses,
  { scope, token }: LinkCaller,
  { connector: { slug: provider }, clientId, scopes, tokens, accessEndsAt }: Granted,
  connected_on: string,
): Promise<ConnectionCredentials> {
  const name = { team_id: scope.teamId, user_id: token.user_id, provider };
  const sealed = await credentials.seal(JSON.stringify(tokens), connectionContext(name));
  const about = { connected_on, client_id: clientId, scopes: [...scopes], access_ends_at: accessEndsAt };
  return { ...name, ...about, sealed, version: 1 };
}

function reasonOf({ items }: ConditionFailed): Error {
  if (items.has(USER)) return new LinkFailed("invalid_token", "The user of this link does not exist.");
  if (items.has(ACCOUNT)) {
    return new LinkFailed("duplicate_connection", "Another user is connected to this account.");
  }
  const used = items.get(TOKEN)?.used_at !== undefined;
  return used
    ? new LinkFailed("token_consumed", "The link was used for a connection.")
    : new LinkFailed("token_expired", "The link is over.");
}
