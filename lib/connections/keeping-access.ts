import type { PulledProvider } from "../connectors/connector.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import {
  type ConnectionCredentials,
  connectionContext,
  type GrantedTokens,
} from "../domain/linking/connection-credentials.ts";
import { newPoll } from "../domain/linking/connection-poll.ts";
import { type HistoricalPull, pullName } from "../domain/linking/historical-pull.ts";
import type { UserRecord } from "../domain/user.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import type { Queue } from "../runtime/queue.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { ConnectionPollStore } from "../store/linking/connection-polls.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import { type ConnectingUses, connect } from "./connecting.ts";
import { type PlanningUses, plannedPulls } from "./planning-pulls.ts";
import { firstPollAt } from "./pull-times.ts";

export interface AccessUses extends PlanningUses {
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly connectionPolls: ConnectionPollStore;
  readonly historicalPulls: HistoricalPullStore;
  readonly historyPulls: Queue;
  readonly credentials: Envelopes;
}

export interface KeepingUses extends ConnectingUses, AccessUses {}

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
export interface KeptAccess extends GrantedAccess {
  readonly accountId: string;
}

/** Connects an account. One transaction writes connection, credentials and history pulls; then queues the pulls. */
export async function connectAccess(
  uses: KeepingUses,
  caller: LinkCaller,
  accountId: string,
  access: GrantedAccess,
): Promise<void> {
  let pulls: readonly HistoricalPull[] = [];
  const account = { provider: access.connector.slug, accountId };
  await connect(uses, caller, account, async (connectedOn, user) => {
    const kept = await accessItems(uses, caller.scope, user, { ...access, accountId }, connectedOn);
    pulls = kept.pulls;
    return kept.items;
  });
  await beginPulls(uses, pulls);
}

/** Plans the writes of access besides the connection itself, and its history pulls. */
export async function accessItems(
  uses: AccessUses,
  scope: TeamScope,
  user: UserRecord,
  access: KeptAccess,
  connectedOn: string,
): Promise<{ items: WriteItem[]; pulls: HistoricalPull[] }> {
  const { connector, scopes, demo } = access;
  const pulls = await plannedPulls(uses, scope, user, { connector, scopes, connectedOn, now: connectedOn, demo });
  const name = { team_id: scope.teamId, user_id: user.user_id, provider: connector.slug };
  const poll = newPoll(name, connectedOn, firstPollAt(connector, connectedOn, demo));
  const credentials = await credentialsOf(uses, scope, user.user_id, access, connectedOn);
  const items = [
    uses.connectionCredentials.putItem(scope, credentials),
    uses.connectionPolls.putItem(scope, poll),
    ...pulls.map((pull) => uses.historicalPulls.putItem(scope, pull)),
  ];
  return { items, pulls };
}

/** Queues written history pulls. */
export async function beginPulls(
  { historyPulls }: Pick<AccessUses, "historyPulls">,
  pulls: readonly HistoricalPull[],
): Promise<void> {
  const names = pulls.map((pull) => pullName.parse(pull));
  // Best effort: the sweeper starts any pull whose message is lost.
  await historyPulls.sendAll(names).catch(() => undefined);
}

/** Creates the stored credentials of access, with sealed tokens. */
export async function credentialsOf(
  { credentials }: Pick<KeepingUses, "credentials">,
  scope: TeamScope,
  userId: string,
  { connector, clientId, scopes, tokens, accessEndsAt, demo, accountId }: KeptAccess,
  connected_on: string,
): Promise<ConnectionCredentials> {
  const name = { team_id: scope.teamId, user_id: userId, provider: connector.slug };
  const sealed = await credentials.seal(JSON.stringify(tokens), connectionContext(name));
  const about = { connected_on, client_id: clientId, scopes: [...scopes], access_ends_at: accessEndsAt };
  return { ...name, ...about, account_id: accountId, ...(demo ? { demo } : {}), sealed, version: 1 };
}
