import { findConnector } from "../../../connectors/connectors.ts";
import { decryptDataKey, generateDataKey, getItem, grants, putItem, updateItem } from "../../../contract/access.ts";
import {
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  outbox,
  providerAccounts,
  teams,
  users,
} from "../../../contract/resources.ts";
import { type BulkStep, bulkStepEncryptionContext } from "../../../domain/connections/bulk-op.ts";
import { connectionRecipe, toAccessEndsAt } from "../../../domain/connections/connection-recipe.ts";
import { newConnectionPoll } from "../../../domain/connections/pulls/connection-poll.ts";
import type { Connection } from "../../../domain/users/user.ts";
import { connectionEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { providerSource } from "../../../runtime/wire-source.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { WriteItem } from "../../../store/transaction.ts";
import { sealCredentials } from "../connect-with-access.ts";
import { type EndConsentDependencies, endConsentAccess, endConsentItems } from "../consents/end-consent.ts";
import { findProviderApp, type ProviderAppDependencies, teamAppAccess } from "../providers/provider-app.ts";
import { toResourceGrant } from "../pulls/plan-history-pulls.ts";
import { firstPollAt } from "../pulls/poll-interval.ts";

export type ImportConnectionDependencies = ProviderAppDependencies &
  EndConsentDependencies &
  Dependencies<"teams" | "users" | "outbox" | "providerAccounts" | "connectionCredentials" | "connectionPolls">;

/** Grants of {@link connectionImportItems}. */
export const importConnectionAccess = grants(
  [getItem(teams), getItem(users), updateItem(users)],
  [putItem(connectionCredentials), putItem(connectionPolls), putItem(outbox)],
  [decryptDataKey(credentialsKey, "bulk_import"), generateDataKey(credentialsKey, "connection")],
  teamAppAccess,
  updateItem(providerAccounts),
  endConsentAccess,
);

/** Plans the writes of an imported connection; undefined if it cannot be imported. Does not pull its history. */
export async function connectionImportItems(
  deps: ImportConnectionDependencies,
  scope: TeamScope,
  step: BulkStep,
): Promise<readonly WriteItem[] | undefined> {
  const user = await deps.users.get(scope, step.user_id);
  const team = await deps.teams.get(scope.teamId);
  const connector = await findConnector(step.provider);
  const app = await findProviderApp(deps, scope, step.provider);
  if (!user || !team || !connector || !app || step.sealed === undefined) return undefined;
  const recipe = connectionRecipe.parse(
    JSON.parse(await deps.credentials.decrypt(step.sealed, bulkStepEncryptionContext(step))),
  );
  const now = isoNow();
  const connection: Connection = { created_on: now, status: "connected", external_user_id: recipe.provider_id };
  const account = { provider: step.provider, accountId: recipe.provider_id, clientId: app.clientId };
  const tokens = { access_token: recipe.access_token, refresh_token: recipe.refresh_token || null };
  const scopes = recipe.oauth_scopes ?? connector.oauth.scopes;
  const granted = { connector, clientId: app.clientId, scopes, tokens, accessEndsAt: toAccessEndsAt(recipe) };
  const access = { ...granted, accountId: account.accountId };
  const credentials = await sealCredentials(deps, scope, user.user_id, access, now);
  const poll = newConnectionPoll(credentials, now, firstPollAt(connector, now));
  return [
    deps.users.putConnectionItem(scope, user.user_id, step.provider, connection),
    ...deps.providerAccounts.connectItems(scope, account, user, team.settings.reject_duplicate_connection),
    deps.connectionCredentials.putItem(scope, credentials),
    deps.connectionPolls.putItem(scope, poll),
    deps.outbox.appendItem(
      connectionEvent(user, providerSource(step.provider), connection, toResourceGrant(access)),
      now,
    ),
    ...(await endConsentItems(deps, scope, user, step.provider, { state: "terminated", by: "team", at: now })),
  ];
}
