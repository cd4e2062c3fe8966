import type { Connector } from "../connectors/connector.ts";
import { ProviderError } from "../connectors/provider-error.ts";
import { pushKey } from "../connectors/push-key.ts";
import type { Log } from "../runtime/log.ts";
import { baseUrl } from "../runtime/wire-source.ts";
import { grantedClient } from "./granted-client.ts";
import type { ProviderApp } from "./provider-app.ts";
import { providerFetch } from "./provider-fetch.ts";

/** The push URL of an application at a provider. A team's own application has its own URL. */
export function pushAddress(app: ProviderApp, provider: string, teamId: string): string {
  const url = new URL(`${baseUrl()}/v2/link/push/${provider}`);
  if (app.isTeams) url.searchParams.set("team_id", teamId);
  url.searchParams.set("key", pushKey(app, provider));
  return url.href;
}

/** A new connection. */
interface Made {
  readonly app: ProviderApp;
  readonly teamId: string;
  readonly accessToken: string;
}

/** Subscribes to pushes about a user. A failed subscription is not fatal, since polls also deliver the data. */
export async function subscribeUser(connector: Connector, { app, teamId, accessToken }: Made, log: Log): Promise<void> {
  try {
    const address = pushAddress(app, connector.slug, teamId);
    await connector.push?.subscribe?.(grantedClient(connector, providerFetch, accessToken), address);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error("the subscription to a provider's pushes failed", error);
  }
}
