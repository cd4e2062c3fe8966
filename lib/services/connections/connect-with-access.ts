import type { PulledProvider } from "../../connectors/connector.ts";
import {
  type ConnectionCredentials,
  connectionEncryptionContext,
  type GrantedTokens,
} from "../../domain/connections/connection-credentials.ts";
import type { ConsentNotice } from "../../domain/connections/consents/consent-notice.ts";
import { newConnectionPoll } from "../../domain/connections/pulls/connection-poll.ts";
import { type HistoricalPull, pullRef } from "../../domain/connections/pulls/historical-pull.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import type { LinkCaller } from "../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { type ConnectAccountDependencies, connectAccount } from "./connect-account.ts";
import { type PlanHistoryPullsDependencies, planHistoryPulls, toResourceGrant } from "./pulls/plan-history-pulls.ts";
import { firstPollAt } from "./pulls/poll-interval.ts";

export type StoreAccessDependencies = PlanHistoryPullsDependencies &
  Dependencies<"connectionCredentials" | "connectionPolls" | "historicalPulls" | "historyPulls" | "credentials">;

export type ConnectWithAccessDependencies = ConnectAccountDependencies & StoreAccessDependencies;

/** Access to a user's data at a provider. */
export interface GrantedAccess {
  readonly connector: PulledProvider;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly tokens: GrantedTokens;
  /** ISO 8601; null for access without expiry. */
  readonly accessEndsAt: string | null;
  /** Whether a simulated provider of this process granted the access. */
  readonly demo?: boolean;
}

/** Access with its account at the provider. */
export interface AccountAccess extends GrantedAccess {
  readonly accountId: string;
}

/** Connects an account. One transaction writes connection, credentials and history pulls; then queues the pulls. */
export async function connectWithAccess(
  deps: ConnectWithAccessDependencies,
  caller: LinkCaller,
  accountId: string,
  access: GrantedAccess,
  shown: { readonly notice: ConsentNotice | null; readonly requested: readonly string[] },
): Promise<void> {
  let pulls: readonly HistoricalPull[] = [];
  const account = { provider: access.connector.slug, accountId, clientId: access.clientId };
  const granted = { granted: access.scopes, grant: toResourceGrant(access) };
  await connectAccount(deps, caller, account, { ...shown, ...granted }, async (connectedOn, user) => {
    const kept = await accessItems(deps, caller.scope, user, { ...access, accountId }, connectedOn);
    pulls = kept.pulls;
    return kept.items;
  });
  await enqueueHistoryPulls(deps, pulls);
}

/** Plans the writes of access besides the connection itself, and its history pulls. */
export async function accessItems(
  deps: StoreAccessDependencies,
  scope: TeamScope,
  user: UserRecord,
  access: AccountAccess,
  connectedOn: string,
): Promise<{ items: WriteItem[]; pulls: HistoricalPull[] }> {
  const { connector, scopes, demo } = access;
  const pulls = await planHistoryPulls(deps, scope, user, { connector, scopes, connectedOn, now: connectedOn, demo });
  const name = { team_id: scope.teamId, user_id: user.user_id, provider: connector.slug };
  const poll = newConnectionPoll(name, connectedOn, firstPollAt(connector, connectedOn, demo));
  const credentials = await sealCredentials(deps, scope, user.user_id, access, connectedOn);
  const items = [
    deps.connectionCredentials.putItem(scope, credentials),
    deps.connectionPolls.putItem(scope, poll),
    ...pulls.map((pull) => deps.historicalPulls.putItem(scope, pull)),
  ];
  return { items, pulls };
}

/** Queues written history pulls. */
export async function enqueueHistoryPulls(
  { historyPulls }: Pick<StoreAccessDependencies, "historyPulls">,
  pulls: readonly HistoricalPull[],
): Promise<void> {
  const names = pulls.map((pull) => pullRef.parse(pull));
  // Best effort: the sweeper starts any pull whose message is lost.
  await historyPulls.sendAll(names).catch(() => undefined);
}

/** Creates the stored credentials of access, with sealed tokens. */
export async function sealCredentials(
  { credentials }: Pick<ConnectWithAccessDependencies, "credentials">,
  scope: TeamScope,
  userId: string,
  { connector, clientId, scopes, tokens, accessEndsAt, demo, accountId }: AccountAccess,
  connected_on: string,
): Promise<ConnectionCredentials> {
  const name = { team_id: scope.teamId, user_id: userId, provider: connector.slug };
  const sealed = await credentials.encrypt(JSON.stringify(tokens), connectionEncryptionContext(name));
  const about = { connected_on, client_id: clientId, scopes: [...scopes], access_ends_at: accessEndsAt };
  return { ...name, ...about, account_id: accountId, ...(demo ? { demo } : {}), sealed, version: 1 };
}
