import type { ClientCredentials } from "../connectors/connector.ts";
import { ApplicationRefused } from "../connectors/provider-error.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import type { ConnectionCredentials } from "../domain/linking/connection-credentials.ts";
import type { DeploymentApp } from "../domain/linking/provider-apps.ts";
import { customSecrets, customSecretsContext, oauthRedirectUri } from "../domain/sources/custom-credentials.ts";
import type { ProviderApps } from "../runtime/linking/provider-apps.ts";
import { baseUrl } from "../runtime/wire-source.ts";
import type { CustomCredentialStore } from "../store/custom-credentials.ts";
import { TeamScope } from "../store/team-scope.ts";
import { type DemoUses, loadedDemo } from "./provider-fetch.ts";

/** An OAuth application at a provider, with its redirect URI. */
export interface ProviderApp extends ClientCredentials {
  readonly redirectUri: string;
  readonly isTeams: boolean;
}

export interface AppUses {
  readonly customCredentials: CustomCredentialStore;
  readonly credentials: Envelopes;
  /** The applications of the deployment. */
  readonly providerApps: ProviderApps;
}

/** Finds the application for new connections: the team's own, or else the deployment's. */
export async function providerApp(uses: AppUses, scope: TeamScope, provider: string): Promise<ProviderApp | undefined> {
  for await (const app of appsOf(uses, scope, provider)) return app;
  return undefined;
}

/** Finds the application of an existing connection by client id; undefined if it is no longer configured. */
export async function appNamed(uses: AppUses, scope: TeamScope, provider: string, clientId: string) {
  for await (const app of appsOf(uses, scope, provider)) if (app.clientId === clientId) return app;
  return undefined;
}

/** Finds the application of credentials; demo connections use the application of the simulated providers. */
export async function appOf(
  uses: AppUses & DemoUses,
  scope: TeamScope,
  { demo, provider, client_id }: Pick<ConnectionCredentials, "demo" | "provider" | "client_id">,
): Promise<ProviderApp | undefined> {
  return demo ? demoApp(uses, provider) : appNamed(uses, scope, provider, client_id);
}

/** Loads the application of demo connections. Their redirect URI is a placeholder, since no browser follows it. */
export async function demoApp(uses: DemoUses, provider: string): Promise<ProviderApp> {
  const { app } = await loadedDemo(uses);
  return { ...app, redirectUri: oauthRedirectUri("http://127.0.0.1", provider), isTeams: false };
}

/** Lists the applications whose pushes a URL accepts: those of its team, or else the deployment's. */
export const pushedApps = (uses: AppUses, provider: string, teamId: string | undefined): Promise<ProviderApp[]> =>
  Array.fromAsync(appsOf(uses, teamId === undefined ? undefined : TeamScope.grant(teamId), provider));

/** Loads a lookup of the providers with a configured application. Does not decrypt secrets of teams. */
export async function knownApps(
  { customCredentials, providerApps }: Pick<AppUses, "customCredentials" | "providerApps">,
  scope: TeamScope,
) {
  const own = await customCredentials.list(scope);
  const usable = own.filter(({ client_id, client_secret_hash }) => client_id && client_secret_hash);
  const named = new Set([...usable.map(({ source }) => source), ...(await providerApps.all()).keys()]);
  return (provider: string): boolean => named.has(provider) || simulatedApp(provider) !== undefined;
}

/**
 * Sends a request with the credentials of an application. If the provider refuses the application and its configured
 * secret has changed, repeats the request once with the new secret.
 * @throws ApplicationRefused, and the errors of `ask`.
 */
export async function speakingFor<T>(
  { providerApps }: Pick<AppUses, "providerApps">,
  app: ProviderApp,
  provider: string,
  ask: (app: ProviderApp) => Promise<T>,
): Promise<T> {
  try {
    return await ask(app);
  } catch (error) {
    if (!(error instanceof ApplicationRefused) || app.isTeams) throw error;
    const set = await providerApps.anew(provider);
    if (set?.client_id !== app.clientId || set.client_secret === app.clientSecret) throw error;
    return ask(deploymentsApp(set, provider));
  }
}

/** Yields the applications of a provider lazily, the team's own first. */
async function* appsOf(uses: AppUses, scope: TeamScope | undefined, provider: string): AsyncGenerator<ProviderApp> {
  const own = scope && (await teamsApp(uses, scope, provider));
  if (own) yield own;
  const common = await uses.providerApps.of(provider);
  if (common) yield deploymentsApp(common, provider);
  const simulated = simulatedApp(provider);
  if (simulated) yield simulated;
}

async function teamsApp({ customCredentials, credentials }: AppUses, scope: TeamScope, provider: string) {
  const stored = await customCredentials.get(scope, provider);
  if (!stored?.client_id) return undefined;
  const context = customSecretsContext(scope.teamId, provider);
  const { client_secret, details } = customSecrets.parse(JSON.parse(await credentials.open(stored.sealed, context)));
  if (client_secret === null) return undefined;
  const redirectUri = stored.redirect_url_override ?? oauthRedirectUri(baseUrl(), provider);
  const pushSecret = typeof details?.push_secret === "string" ? details.push_secret : undefined;
  return { clientId: stored.client_id, clientSecret: client_secret, pushSecret, redirectUri, isTeams: true };
}

function deploymentsApp(set: DeploymentApp, provider: string): ProviderApp {
  const redirectUri = set.redirect_url ?? oauthRedirectUri(baseUrl(), provider);
  const { client_id: clientId, client_secret: clientSecret, push_secret: pushSecret } = set;
  return { clientId, clientSecret, pushSecret, redirectUri, isTeams: false };
}

/** The application of the simulators in a local run; no stack sets these variables. */
function simulatedApp(provider: string): ProviderApp | undefined {
  const { PROVIDER_BASE_URL, PROVIDER_CLIENT_ID: clientId, PROVIDER_CLIENT_SECRET: clientSecret } = process.env;
  if (!PROVIDER_BASE_URL || !clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, redirectUri: oauthRedirectUri(baseUrl(), provider), isTeams: false };
}
