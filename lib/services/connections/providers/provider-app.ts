import type { ClientCredentials } from "../../../connectors/client-credentials.ts";
import { ApplicationRefused } from "../../../connectors/provider-error.ts";
import { decryptDataKey, getItem } from "../../../contract/access.ts";
import { credentialsKey, customCredentials } from "../../../contract/resources.ts";
import type { ConnectionCredentials } from "../../../domain/connections/connection-credentials.ts";
import {
  customSecrets,
  customSecretsEncryptionContext,
  oauthRedirectUri,
} from "../../../domain/connections/providers/custom-credentials.ts";
import { appKeys, type DeploymentApp } from "../../../domain/connections/providers/provider-apps.ts";
import { parseJson } from "../../../domain/shared/json.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { getDemoProviders, type ProviderFetchDependencies } from "./provider-fetch.ts";

/** An OAuth application at a provider, with its redirect URI. */
export interface ProviderApp extends ClientCredentials {
  readonly redirectUri: string;
  readonly isTeamApp: boolean;
}

export type ProviderAppDependencies = Dependencies<"customCredentials" | "credentials" | "providerApps">;

/** Grants to find the application of a team. That of the deployment also needs a grant to read its secret. */
export const teamAppAccess = [
  getItem(customCredentials),
  decryptDataKey(credentialsKey, "custom_credentials"),
] as const;

/** Finds the application for new connections: the team's own, or else the deployment's. */
export async function findProviderApp(
  deps: ProviderAppDependencies,
  scope: TeamScope,
  provider: string,
): Promise<ProviderApp | undefined> {
  for await (const app of listApps(deps, scope, provider)) return app;
  return undefined;
}

/** Finds the application of an existing connection by client id; undefined if it is no longer configured. */
export async function findAppByClientId(
  deps: ProviderAppDependencies,
  scope: TeamScope,
  provider: string,
  clientId: string,
) {
  for await (const app of listApps(deps, scope, provider)) if (app.clientId === clientId) return app;
  return undefined;
}

/** Finds the application of credentials; demo connections use the application of the simulated providers. */
export async function findCredentialsApp(
  deps: ProviderAppDependencies & ProviderFetchDependencies,
  scope: TeamScope,
  { demo, provider, client_id }: Pick<ConnectionCredentials, "demo" | "provider" | "client_id">,
): Promise<ProviderApp | undefined> {
  return demo ? loadDemoApp(deps, provider) : findAppByClientId(deps, scope, provider, client_id);
}

/** Loads the application of demo connections. Their redirect URI is a placeholder, since no browser follows it. */
export async function loadDemoApp(deps: ProviderFetchDependencies, provider: string): Promise<ProviderApp> {
  const { app } = await getDemoProviders(deps);
  return { ...app, redirectUri: oauthRedirectUri("http://127.0.0.1", provider), isTeamApp: false };
}

/** Lists the applications whose pushes a URL accepts: those of its team, or else the deployment's. */
export const listPushApps = (
  deps: ProviderAppDependencies,
  provider: string,
  teamId: string | undefined,
): Promise<ProviderApp[]> =>
  Array.fromAsync(listApps(deps, teamId === undefined ? undefined : TeamScope.grant(teamId), provider));

/** Loads a lookup of the providers with a configured application. Does not decrypt secrets of teams. */
export async function loadAppLookup(
  { customCredentials, providerApps }: Pick<ProviderAppDependencies, "customCredentials" | "providerApps">,
  scope: TeamScope,
) {
  const own = await customCredentials.list(scope);
  const usable = own.filter(({ client_id, client_secret_hash }) => client_id && client_secret_hash);
  const named = new Set([...usable.map(({ source }) => source), ...(await providerApps.all()).keys()]);
  return (provider: string): boolean => named.has(provider) || findSimulatedApp(provider) !== undefined;
}

/**
 * Sends a request with the credentials of an application. If the provider refuses the application and its configured
 * secret has changed, repeats the request once with the new secret.
 * @throws ApplicationRefused, and the errors of `ask`.
 */
export async function retryWithChangedSecret<T>(
  { providerApps }: Pick<ProviderAppDependencies, "providerApps">,
  app: ProviderApp,
  provider: string,
  ask: (app: ProviderApp) => Promise<T>,
): Promise<T> {
  try {
    return await ask(app);
  } catch (error) {
    if (!(error instanceof ApplicationRefused) || app.isTeamApp) throw error;
    const set = await providerApps.reload(provider);
    if (set?.client_id !== app.clientId || set.client_secret === app.clientSecret) throw error;
    return ask(toDeploymentApp(set, provider));
  }
}

/** Yields the applications of a provider lazily, the team's own first. */
async function* listApps(
  deps: ProviderAppDependencies,
  scope: TeamScope | undefined,
  provider: string,
): AsyncGenerator<ProviderApp> {
  const own = scope && (await loadTeamApp(deps, scope, provider));
  if (own) yield own;
  const common = await deps.providerApps.get(provider);
  if (common) yield toDeploymentApp(common, provider);
  const simulated = findSimulatedApp(provider);
  if (simulated) yield simulated;
}

async function loadTeamApp(
  { customCredentials, credentials }: ProviderAppDependencies,
  scope: TeamScope,
  provider: string,
) {
  const stored = await customCredentials.get(scope, provider);
  if (!stored?.client_id) return undefined;
  const context = customSecretsEncryptionContext(scope.teamId, provider);
  const { client_secret, details } = customSecrets.parse(JSON.parse(await credentials.decrypt(stored.sealed, context)));
  if (client_secret === null) return undefined;
  const redirectUri = stored.redirect_url_override ?? oauthRedirectUri(baseUrl(), provider);
  const pushSecret = typeof details?.push_secret === "string" ? details.push_secret : undefined;
  const { data: keys } = appKeys.safeParse(details?.keys);
  return { clientId: stored.client_id, clientSecret: client_secret, pushSecret, keys, redirectUri, isTeamApp: true };
}

function toDeploymentApp(set: DeploymentApp, provider: string): ProviderApp {
  const redirectUri = set.redirect_url ?? oauthRedirectUri(baseUrl(), provider);
  const { client_id: clientId, client_secret: clientSecret, push_secret: pushSecret, keys } = set;
  return { clientId, clientSecret, pushSecret, keys, redirectUri, isTeamApp: false };
}

/** The application of the simulators in a local run; no stack sets these variables. */
function findSimulatedApp(provider: string): ProviderApp | undefined {
  const { PROVIDER_BASE_URL, PROVIDER_CLIENT_ID: clientId, PROVIDER_CLIENT_SECRET: clientSecret } = process.env;
  if (!PROVIDER_BASE_URL || !clientId || !clientSecret) return undefined;
  const { data: keys } = appKeys.safeParse(parseJson(process.env.PROVIDER_APP_KEYS ?? ""));
  return { clientId, clientSecret, keys, redirectUri: oauthRedirectUri(baseUrl(), provider), isTeamApp: false };
}
