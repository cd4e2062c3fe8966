import type { Connector } from "../../../connectors/connector.ts";
import { ProviderError } from "../../../connectors/provider-error.ts";
import { derivePushKey } from "../../../connectors/push-key.ts";
import type { Log } from "../../../runtime/log.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import { createGrantedClient } from "../providers/granted-client.ts";
import type { ProviderApp } from "../providers/provider-app.ts";
import { providerFetch } from "../providers/provider-fetch.ts";

/** The push URL of an application at a provider. A team's own application has its own URL. */
function pushAddress(app: ProviderApp, provider: string, teamId: string): string {
  const url = new URL(`${baseUrl()}/v2/link/push/${provider}`);
  if (app.isTeamApp) url.searchParams.set("team_id", teamId);
  url.searchParams.set("key", derivePushKey(app, provider));
  return url.href;
}

/** A new connection. */
interface NewConnection {
  readonly app: ProviderApp;
  readonly teamId: string;
  readonly accessToken: string;
}

/** Subscribes to pushes about a user. A failed subscription is not fatal, since polls also deliver the data. */
export async function subscribeUser(
  connector: Connector,
  { app, teamId, accessToken }: NewConnection,
  log: Log,
): Promise<void> {
  try {
    const address = pushAddress(app, connector.slug, teamId);
    const client = createGrantedClient(connector, { app, fetch: providerFetch }, accessToken);
    await connector.push?.subscribe?.(client, address);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error("the subscription to a provider's pushes failed", error);
  }
}
