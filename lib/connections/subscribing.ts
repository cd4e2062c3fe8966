import type { Connector } from "../connectors/connector.ts";
import { ProviderError } from "../connectors/provider-error.ts";
import { pushKey } from "../connectors/push-key.ts";
import type { Log } from "../runtime/log.ts";
import { baseUrl } from "../runtime/wire-source.ts";
import { grantedClient } from "./granted-client.ts";
import type { ProviderApp } from "./provider-app.ts";
import { providerFetch } from "./provider-fetch.ts";

/** Where a provider sends its pushes about the users of an application; a team's own application has an address of its own. */
export function pushAddress(app: ProviderApp, provider: string, teamId: string): string {
  const url = new URL(`${baseUrl()}/v2/link/push/${provider}`);
  if (app.isTeams) url.searchParams.set("team_id", teamId);
  url.searchParams.set("key", pushKey(app, provider));
  return url.href;
}

/** A connection that was just made. */
interface Made {
  readonly app: ProviderApp;
  readonly teamId: string;
  readonly accessToken: string;
}

/** Asks a provider for pushes about a user. One that gives none stands in nobody's way: data is pulled, too. */
export async function subscribeUser(connector: Connector, { app, teamId, accessToken }: Made, log: Log): Promise<void> {
  try {
    const address = pushAddress(app, connector.slug, teamId);
    await connector.push?.subscribe?.(grantedClient(connector, providerFetch, accessToken), address);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error("a provider gives no pushes about a user", error);
  }
}
