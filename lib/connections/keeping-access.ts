import type { Connector } from "../connectors/connector.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import {
  type ConnectionCredentials,
  connectionContext,
  type GrantedTokens,
} from "../domain/linking/connection-credentials.ts";
import { newPoll } from "../domain/linking/connection-poll.ts";
import { type HistoricalPull, pullName } from "../domain/linking/historical-pull.ts";
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

export interface KeepingUses extends ConnectingUses, PlanningUses {
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly connectionPolls: ConnectionPollStore;
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
    async (connectedOn, user): Promise<WriteItem[]> => {
      const { connector, scopes } = access;
      pulls = await plannedPulls(uses, caller.scope, user, { connector, scopes, connectedOn, now: connectedOn });
      const name = { team_id: caller.scope.teamId, user_id: user.user_id, provider: connector.slug };
      const poll = newPoll(name, connectedOn, firstPollAt(connector, connectedOn));
      const kept = { ...access, accountId };
      const credentials = await credentialsOf(uses, caller.scope, user.user_id, kept, connectedOn);
      const items = pulls.map((pull) => uses.historicalPulls.putItem(caller.scope, pull));
      return [
        uses.connectionCredentials.putItem(caller.scope, credentials),
        uses.connectionPolls.putItem(caller.scope, poll),
        ...items,
      ];
    },
  );
  const begun = uses.historyPulls.sendAll(
    pulls.map((pull) => pullName.parse(pull)),
    { groupId: caller.scope.teamId },
  );
  // Speed only: what gets lost, the sweeper begins.
  await begun.catch(() => undefined);
}

/** What is stored of access; the tokens in an envelope. */
export async function credentialsOf(
  { credentials }: Pick<KeepingUses, "credentials">,
  scope: TeamScope,
  userId: string,
  { connector, clientId, scopes, tokens, accessEndsAt, accountId }: GrantedAccess & { readonly accountId: string },
  connected_on: string,
): Promise<ConnectionCredentials> {
  const name = { team_id: scope.teamId, user_id: userId, provider: connector.slug };
  const sealed = await credentials.seal(JSON.stringify(tokens), connectionContext(name));
  const about = { connected_on, client_id: clientId, scopes: [...scopes], access_ends_at: accessEndsAt };
  return { ...name, ...about, account_id: accountId, sealed, version: 1 };
}
