import type { Connector } from "../connectors/connector.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import {
  type ConnectionCredentials,
  connectionContext,
  type GrantedTokens,
} from "../domain/linking/connection-credentials.ts";
import { type HistoricalPull, newPull, pullName } from "../domain/linking/historical-pull.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import type { Queue } from "../runtime/queue.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { HistoricalPullStore } from "../store/linking/historical-pulls.ts";
import type { PullPreferenceStore } from "../store/pull-preferences.ts";
import type { WriteItem } from "../store/transaction.ts";
import { type ConnectingUses, connect } from "./connecting.ts";

export interface KeepingUses extends ConnectingUses {
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly pullPreferences: PullPreferenceStore;
  readonly historicalPulls: HistoricalPullStore;
  readonly historyPulls: Queue;
  readonly credentials: Envelopes;
}

/** Access to a user's data at a provider. */
export interface GrantedAccess {
  readonly connector: Connector;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly tokens: GrantedTokens;
  /** ISO 8601; null for access that does not end. */
  readonly accessEndsAt: string | null;
}

/** Connects an account and keeps the access to it, in one write with what is to be pulled; then has that begun. */
export async function connectAccess(
  uses: KeepingUses,
  caller: LinkCaller,
  accountId: string,
  access: GrantedAccess,
): Promise<void> {
  let pulls: readonly HistoricalPull[] = [];
  await connect(
    uses,
    caller,
    { provider: access.connector.slug, accountId },
    async (connectedOn): Promise<WriteItem[]> => {
      pulls = await plannedPulls(uses, caller, access, connectedOn);
      const credentials = await credentialsOf(uses, caller, access, connectedOn);
      const items = pulls.map((pull) => uses.historicalPulls.putItem(caller.scope, pull));
      return [uses.connectionCredentials.putItem(caller.scope, credentials), ...items];
    },
  );
  const begun = uses.historyPulls.sendAll(
    pulls.map((pull) => pullName.parse(pull)),
    { groupId: caller.scope.teamId },
  );
  // Speed only: what gets lost, the sweeper begins.
  await begun.catch(() => undefined);
}

/** What is pulled of the time before the connection: of each resource that access was given to as much as the team wants. */
async function plannedPulls(
  { pullPreferences }: KeepingUses,
  { scope, token: { user_id } }: LinkCaller,
  { connector, scopes }: GrantedAccess,
  now: string,
): Promise<HistoricalPull[]> {
  const { slug: provider, historyDays } = connector;
  const wanted = (await pullPreferences.get(scope))?.providers[provider];
  const granted = connector.resources.filter((resource) => resource.scopes.every((name) => scopes.includes(name)));
  return granted.flatMap(({ name: resource }) => {
    const preferred = wanted?.resource_overrides?.[resource] ?? wanted?.default;
    const days = preferred?.historical_days_to_pull ?? historyDays;
    const name = { team_id: scope.teamId, user_id, provider, resource };
    return days > 0 ? [newPull(name, now, days)] : [];
  });
}

async function credentialsOf(
  { credentials }: KeepingUses,
  { scope, token }: LinkCaller,
  { connector, clientId, scopes, tokens, accessEndsAt }: GrantedAccess,
  connected_on: string,
): Promise<ConnectionCredentials> {
  const name = { team_id: scope.teamId, user_id: token.user_id, provider: connector.slug };
  const sealed = await credentials.seal(JSON.stringify(tokens), connectionContext(name));
  const about = { connected_on, client_id: clientId, scopes: [...scopes], access_ends_at: accessEndsAt };
  return { ...name, ...about, sealed, version: 1 };
}
