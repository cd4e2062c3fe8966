import { findConnector } from "../connectors/connectors.ts";
import { type BulkStep, stepContext } from "../domain/linking/bulk-op.ts";
import { newPoll } from "../domain/linking/connection-poll.ts";
import { accessEndOf, connectionRecipe } from "../domain/linking/connection-recipe.ts";
import type { Connection } from "../domain/user.ts";
import { connectionEvent } from "../events/connection-events.ts";
import { isoNow } from "../runtime/ports.ts";
import { providerSource } from "../runtime/wire-source.ts";
import type { TeamStore } from "../store/identity.ts";
import type { ConnectionCredentialStore } from "../store/linking/connection-credentials.ts";
import type { ConnectionPollStore } from "../store/linking/connection-polls.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { credentialsOf } from "./keeping-access.ts";
import { type AppUses, providerApp } from "./provider-app.ts";
import { firstPollAt } from "./pull-times.ts";

export interface ImportingUses extends AppUses {
  readonly teams: TeamStore;
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly connectionCredentials: ConnectionCredentialStore;
  readonly connectionPolls: ConnectionPollStore;
}

/** Plans the writes of an imported connection; undefined if it cannot be imported. Does not pull its history. */
export async function importItems(
  uses: ImportingUses,
  scope: TeamScope,
  step: BulkStep,
): Promise<readonly WriteItem[] | undefined> {
  const user = await uses.users.get(scope, step.user_id);
  const team = await uses.teams.get(scope.teamId);
  const connector = await findConnector(step.provider);
  const app = await providerApp(uses, scope, step.provider);
  if (!user || !team || !connector || !app || step.sealed === undefined) return undefined;
  const recipe = connectionRecipe.parse(JSON.parse(await uses.credentials.open(step.sealed, stepContext(step))));
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: recipe.provider_id };
  const account = { provider: step.provider, accountId: recipe.provider_id };
  const tokens = { access_token: recipe.access_token, refresh_token: recipe.refresh_token || null };
  const scopes = recipe.oauth_scopes ?? connector.oauth.scopes;
  const granted = { connector, clientId: app.clientId, scopes, tokens, accessEndsAt: accessEndOf(recipe) };
  const access = { ...granted, accountId: account.accountId };
  const credentials = await credentialsOf(uses, scope, user.user_id, access, now);
  const poll = newPoll(credentials, now, firstPollAt(connector, now));
  return [
    uses.users.connectItem(scope, user.user_id, step.provider, connection),
    uses.providerAccounts.connectItem(scope, account, user.user_id, team.settings.reject_duplicate_connection),
    ...uses.providerAccounts.leaveItems(scope, user, account),
    uses.connectionCredentials.putItem(scope, credentials),
    uses.connectionPolls.putItem(scope, poll),
    uses.outbox.addItem(connectionEvent(user, providerSource(step.provider), connection), now),
  ];
}
