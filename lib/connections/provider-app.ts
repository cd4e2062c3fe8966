import type { ClientCredentials } from "../connectors/connector.ts";
import type { Envelopes } from "../crypto/envelope.ts";
import type { ConnectionCredentials } from "../domain/linking/connection-credentials.ts";
import { customSecrets, customSecretsContext, oauthRedirectUri } from "../domain/sources/custom-credentials.ts";
import { baseUrl } from "../runtime/wire-source.ts";
import type { CustomCredentialStore } from "../store/custom-credentials.ts";
import { TeamScope } from "../store/team-scope.ts";
import { type DemoUses, loadedDemo } from "./provider-fetch.ts";

/** An application at a provider, and where the provider sends users back to. */
export interface ProviderApp extends ClientCredentials {
  readonly redirectUri: string;
  readonly isTeams: boolean;
}

export interface AppUses {
  readonly customCredentials: CustomCredentialStore;
  readonly credentials: Envelopes;
}

/** The applications of the deployment lie beside those of teams, under a name that no team has. */
export const deploymentApps = TeamScope.grant("deployment");

/** The application to speak for: the team's own, else the deployment's; undefined where there is none. */
export async function providerApp(uses: AppUses, scope: TeamScope, provider: string): Promise<ProviderApp | undefined> {
  const [first] = await appsOf(uses, scope, provider);
  return first;
}

/** The application that a connection was made with, whatever new ones are made with; undefined where it is gone. */
export async function appNamed(uses: AppUses, scope: TeamScope, provider: string, clientId: string) {
  return (await appsOf(uses, scope, provider)).find((app) => app.clientId === clientId);
}

/** The application that credentials were given to: of a demo connection the one that simulated providers know. */
export async function appOf(
  uses: AppUses & DemoUses,
  scope: TeamScope,
  { demo, provider, client_id }: Pick<ConnectionCredentials, "demo" | "provider" | "client_id">,
): Promise<ProviderApp | undefined> {
  return demo ? demoApp(uses, provider) : appNamed(uses, scope, provider, client_id);
}

/** The application of demo connections, whom nobody sends back by a browser. */
export async function demoApp(uses: DemoUses, provider: string): Promise<ProviderApp> {
  const { app } = await loadedDemo(uses);
  return { ...app, redirectUri: oauthRedirectUri("http://127.0.0.1", provider), isTeams: false };
}

/** The applications whose pushes may come to an address: those of the team that it names, else the deployment's. */
export const pushedApps = (uses: AppUses, provider: string, teamId: string | undefined): Promise<ProviderApp[]> =>
  appsOf(uses, teamId === undefined ? deploymentApps : TeamScope.grant(teamId), provider);

/** Tells of providers whether there is an application to speak for; secrets stay closed. */
export async function knownApps({ customCredentials }: Pick<AppUses, "customCredentials">, scope: TeamScope) {
  const stored = await Promise.all([scope, deploymentApps].map((owner) => customCredentials.list(owner)));
  const usable = stored.flat().filter(({ client_id, client_secret_hash }) => client_id && client_secret_hash);
  const named = new Set(usable.map(({ source }) => source));
  return (provider: string): boolean => named.has(provider) || simulatedApp(provider) !== undefined;
}

async function appsOf(uses: AppUses, scope: TeamScope, provider: string): Promise<ProviderApp[]> {
  const own = scope === deploymentApps ? undefined : await storedApp(uses, scope, provider);
  const common = await storedApp(uses, deploymentApps, provider);
  return [own, common, simulatedApp(provider)].filter((app) => app !== undefined);
}

async function storedApp({ customCredentials, credentials }: AppUses, owner: TeamScope, provider: string) {
  const stored = await customCredentials.get(owner, provider);
  if (!stored?.client_id) return undefined;
  const context = customSecretsContext(owner.teamId, provider);
  const { client_secret, details } = customSecrets.parse(JSON.parse(await credentials.open(stored.sealed, context)));
  if (client_secret === null) return undefined;
  const redirectUri = stored.redirect_url_override ?? oauthRedirectUri(baseUrl(), provider);
  const pushSecret = typeof details?.push_secret === "string" ? details.push_secret : undefined;
  const isTeams = owner !== deploymentApps;
  return { clientId: stored.client_id, clientSecret: client_secret, pushSecret, redirectUri, isTeams };
}

/** The one application that the simulators know; no stack sets these variables. */
function simulatedApp(provider: string): ProviderApp | undefined {
  const { PROVIDER_BASE_URL, PROVIDER_CLIENT_ID: clientId, PROVIDER_CLIENT_SECRET: clientSecret } = process.env;
  if (!PROVIDER_BASE_URL || !clientId || !clientSecret) return undefined;
  return { clientId, clientSecret, redirectUri: oauthRedirectUri(baseUrl(), provider), isTeams: false };
}
