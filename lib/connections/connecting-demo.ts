import type { Connector, EmailConnector } from "../connectors/connector.ts";
import { findConnector, findEmailConnector } from "../connectors/connectors.ts";
import { authorizationUrl, exchangeCode, grantedScopes } from "../connectors/oauth.ts";
import { ProviderUnavailable } from "../connectors/provider-error.ts";
import type { Connection, UserRecord } from "../domain/user.ts";
import { connectionEvent } from "../events/connection-events.ts";
import { NotPossible, UserNotFound } from "../runtime/errors.ts";
import { isoNow, ports } from "../runtime/ports.ts";
import { providerSource } from "../runtime/wire-source.ts";
import { ConditionFailed } from "../store/condition-failed.ts";
import type { ProviderAccountStore } from "../store/linking/provider-accounts.ts";
import type { OutboxStore } from "../store/outbox.ts";
import type { TeamScope } from "../store/team-scope.ts";
import type { WriteItem } from "../store/transaction.ts";
import type { UserStore } from "../store/users.ts";
import { tokensOf } from "./finishing-oauth.ts";
import { grantedClient } from "./granted-client.ts";
import { type AccessUses, accessItems, beginPulls, type GrantedAccess } from "./keeping-access.ts";
import { demoApp } from "./provider-app.ts";
import { type DemoUses, wayTo } from "./provider-fetch.ts";

export interface ConnectingDemoUses extends AccessUses, DemoUses {
  readonly users: UserStore;
  readonly outbox: OutboxStore;
  readonly providerAccounts: ProviderAccountStore;
  readonly commit: (items: readonly WriteItem[]) => Promise<void>;
}

/** Access to the account of a demo user. */
interface DemoAccount {
  readonly accountId: string;
  readonly access: GrantedAccess;
}

/**
 * Connects a user to a demo account, unless it is connected. Retries on concurrent changes of the user.
 * @throws UserNotFound; NotPossible for a user with a real connection.
 */
export async function ensureDemo(uses: ConnectingDemoUses, scope: TeamScope, userId: string, provider: string) {
  for (;;) {
    const user = await uses.users.get(scope, userId);
    if (!user) throw new UserNotFound();
    if (Object.values(user.connections).some(({ demo }) => !demo)) {
      throw new NotPossible("A user with a real connection cannot have a demo connection.");
    }
    if (user.connections[provider]?.status === "connected") return;
    try {
      return await connectDemo(uses, scope, user, provider);
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
}

/**
 * Connects a user to a demo account, named by the user id. The demo user consents or signs in at the simulated
 * provider; then the connection behaves like any other. A phone connection has no authorization and no access.
 * @throws ConditionFailed for item 0 if the user was deleted or has other connections by now.
 */
async function connectDemo(
  uses: ConnectingDemoUses,
  scope: TeamScope,
  user: UserRecord,
  provider: string,
): Promise<void> {
  const account = await demoAccount(uses, user.user_id, provider);
  const now = isoNow();
  const known = account ? { external_user_id: account.accountId } : {};
  const connection: Connection = { created_on: now, status: "connected", demo: true, ...known };
  const kept =
    account && (await accessItems(uses, scope, user, { ...account.access, accountId: account.accountId }, now));
  await uses.commit([
    uses.users.connectItem(scope, user.user_id, provider, connection, { all: user.connections }),
    ...(account ? [uses.providerAccounts.connectItem(scope, { provider, ...account }, user.user_id, false)] : []),
    ...(kept?.items ?? []),
    uses.outbox.addItem(connectionEvent(user, providerSource(provider), connection), now),
  ]);
  await beginPulls(uses, kept?.pulls ?? []);
}

async function demoAccount(uses: DemoUses, userId: string, provider: string): Promise<DemoAccount | undefined> {
  const connector = await findConnector(provider);
  if (connector) return consented(uses, connector, userId);
  const byEmail = await findEmailConnector(provider);
  return byEmail && signedIn(uses, byEmail, userId);
}

/** Runs the OAuth flow like a browser: opens the consent page, follows the redirect, and exchanges the code. */
async function consented(uses: DemoUses, connector: Connector, account: string): Promise<DemoAccount> {
  const { slug, oauth } = connector;
  const app = await demoApp(uses, slug);
  const fetch = wayTo(uses, { demo: true });
  const { bytes } = ports().ids;
  const [state, verifier] = [bytes(32).toString("base64url"), bytes(32).toString("base64url")];
  const codeVerifier = oauth.pkce ? verifier : undefined;
  const request = { ...app, scopes: oauth.scopes, state, codeVerifier };
  const page = new URL(authorizationUrl(oauth, request));
  page.searchParams.set("auto", "allow");
  page.searchParams.set("account", account);
  const sentBack = (await fetch(page.href, { method: "GET", headers: {} })).headers.get("location");
  if (sentBack === null) throw new ProviderUnavailable("the simulated provider did not redirect");
  const redirect = new URL(sentBack).searchParams;
  const { redirectUri } = app;
  const reply = await exchangeCode(oauth, { app, redirectUri, fetch }, redirect, { state, codeVerifier });
  const scopes = grantedScopes(oauth, reply, redirect, oauth.scopes);
  const access = { connector, clientId: app.clientId, scopes, ...tokensOf(reply, ports().clock.now()), demo: true };
  return { accountId: await oauth.accountOf(reply, grantedClient(connector, fetch, reply.access_token)), access };
}

async function signedIn(uses: DemoUses, connector: EmailConnector, account: string): Promise<DemoAccount> {
  const { clientId } = await demoApp(uses, connector.slug);
  const { accountId, session } = await connector.signIn(wayTo(uses, { demo: true }), `${account}@example.com`);
  const tokens = { access_token: session, refresh_token: null };
  return { accountId, access: { connector, clientId, scopes: [], tokens, accessEndsAt: null, demo: true } };
}
