import type { Connector, EmailConnector } from "../../connectors/connector.ts";
import { findConnector, findEmailConnector } from "../../connectors/connectors.ts";
import { buildAuthorizationUrl, exchangeCode, readGrantedScopes } from "../../connectors/oauth.ts";
import { ProviderUnavailable } from "../../connectors/provider-error.ts";
import { generateDataKey, getItem, putItem, sendMessage, updateItem } from "../../contract/access.ts";
import { historyPulls } from "../../contract/queues.ts";
import {
  connectionCredentials,
  connectionPolls,
  credentialsKey,
  historicalPulls,
  outbox,
  providerAccounts,
  pullPreferences,
  users,
} from "../../contract/resources.ts";
import type { Connection, UserRecord } from "../../domain/users/user.ts";
import { connectionEvent } from "../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { NotPossible, UserNotFound } from "../../runtime/errors.ts";
import { isoNow, ports } from "../../runtime/ports.ts";
import { providerSource } from "../../runtime/wire-source.ts";
import { retryConditionFailed } from "../../store/condition-failed.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import {
  accessItems,
  enqueueHistoryPulls,
  type GrantedAccess,
  type StoreAccessDependencies,
} from "./connect-with-access.ts";
import { toGrantedTokens } from "./oauth/finish-oauth.ts";
import { createGrantedClient } from "./providers/granted-client.ts";
import { loadDemoApp } from "./providers/provider-app.ts";
import { type ProviderFetchDependencies, selectProviderFetch } from "./providers/provider-fetch.ts";
import { toResourceGrant } from "./pulls/plan-history-pulls.ts";

export type ConnectDemoDependencies = StoreAccessDependencies &
  ProviderFetchDependencies &
  Dependencies<"users" | "outbox" | "providerAccounts" | "commit">;

/** Grants of {@link ensureDemoConnection}. */
export const connectDemoAccess = [
  getItem(users),
  updateItem(users),
  putItem(outbox),
  updateItem(providerAccounts),
  putItem(connectionCredentials),
  generateDataKey(credentialsKey, "connection"),
  getItem(pullPreferences),
  putItem(connectionPolls),
  putItem(historicalPulls),
  sendMessage(historyPulls),
] as const;

/** Access to the account of a demo user. */
interface DemoAccount {
  readonly accountId: string;
  readonly access: GrantedAccess;
}

/**
 * Connects a user to a demo account, unless it is connected. Retries on concurrent changes of the user.
 * @returns the user as read before.
 * @throws UserNotFound; NotPossible for a user with a real connection.
 */
export async function ensureDemoConnection(
  deps: ConnectDemoDependencies,
  scope: TeamScope,
  userId: string,
  provider: string,
): Promise<UserRecord> {
  return retryConditionFailed(async () => {
    const user = await deps.users.get(scope, userId);
    if (!user) throw new UserNotFound();
    if (Object.values(user.connections).some(({ demo }) => !demo)) {
      throw new NotPossible("A user with a real connection cannot have a demo connection.");
    }
    if (user.connections[provider]?.status !== "connected") await connectDemo(deps, scope, user, provider);
    return user;
  });
}

/**
 * Connects a user to a demo account, named by the user id. The demo user consents or signs in at the simulated
 * provider; then the connection behaves like any other. A phone connection has no authorization and no access.
 * @throws ConditionFailed for item 0 if the user was deleted or has other connections by now.
 */
async function connectDemo(
  deps: ConnectDemoDependencies,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
): Promise<void> {
  const account = await openDemoAccount(deps, user.user_id, provider);
  const now = isoNow();
  const known = account ? { external_user_id: account.accountId } : {};
  const connection: Connection = { created_on: now, status: "connected", demo: true, ...known };
  const grant = account && toResourceGrant(account.access);
  const kept =
    account && (await accessItems(deps, scope, user, { ...account.access, accountId: account.accountId }, now));
  await deps.commit([
    deps.users.putConnectionItem(scope, user.user_id, provider, connection, { all: user.connections }),
    ...(account ? [deps.providerAccounts.connectItem(scope, { provider, ...account }, user.user_id, false)] : []),
    ...(kept?.items ?? []),
    deps.outbox.appendItem(connectionEvent(user, providerSource(provider), connection, grant), now),
  ]);
  await enqueueHistoryPulls(deps, kept?.pulls ?? []);
}

async function openDemoAccount(
  deps: ProviderFetchDependencies,
  userId: string,
  provider: string,
): Promise<DemoAccount | undefined> {
  const connector = await findConnector(provider);
  if (connector) return consentToOAuth(deps, connector, userId);
  const byEmail = await findEmailConnector(provider);
  return byEmail && signInByEmail(deps, byEmail, userId);
}

/** Runs the OAuth flow like a browser: opens the consent page, follows the redirect, and exchanges the code. */
async function consentToOAuth(
  deps: ProviderFetchDependencies,
  connector: Connector,
  account: string,
): Promise<DemoAccount> {
  const { slug, oauth } = connector;
  const app = await loadDemoApp(deps, slug);
  const fetch = selectProviderFetch(deps, { demo: true });
  const { bytes } = ports().ids;
  const [state, verifier] = [bytes(32).toString("base64url"), bytes(32).toString("base64url")];
  const codeVerifier = oauth.pkce ? verifier : undefined;
  const request = { ...app, scopes: oauth.scopes, state, codeVerifier };
  const page = new URL(buildAuthorizationUrl(oauth, request));
  page.searchParams.set("auto", "allow");
  page.searchParams.set("account", account);
  const sentBack = (await fetch(page.href, { method: "GET", headers: {} })).headers.get("location");
  if (sentBack === null) throw new ProviderUnavailable("the simulated provider did not redirect");
  const redirect = new URL(sentBack).searchParams;
  const { redirectUri } = app;
  const reply = await exchangeCode(oauth, { app, redirectUri, fetch }, redirect, { state, codeVerifier });
  const scopes = readGrantedScopes(oauth, reply, redirect, oauth.scopes);
  const access = {
    connector,
    clientId: app.clientId,
    scopes,
    ...toGrantedTokens(reply, ports().clock.now()),
    demo: true,
  };
  return {
    accountId: await oauth.fetchAccountId(reply, createGrantedClient(connector, { app, fetch }, reply.access_token)),
    access,
  };
}

async function signInByEmail(
  deps: ProviderFetchDependencies,
  connector: EmailConnector,
  account: string,
): Promise<DemoAccount> {
  const { clientId } = await loadDemoApp(deps, connector.slug);
  const { accountId, session } = await connector.signIn(
    selectProviderFetch(deps, { demo: true }),
    `${account}@example.com`,
  );
  const tokens = { access_token: session, refresh_token: null };
  return { accountId, access: { connector, clientId, scopes: [], tokens, accessEndsAt: null, demo: true } };
}
