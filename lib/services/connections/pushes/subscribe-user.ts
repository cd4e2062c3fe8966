import type { Connector } from "../../../connectors/connector.ts";
import type { ProviderClient } from "../../../connectors/provider-client.ts";
import { ProviderError } from "../../../connectors/provider-error.ts";
import { derivePushKey } from "../../../connectors/push-key.ts";
import type { Log } from "../../../runtime/log.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import type { ProviderApp } from "../providers/provider-app.ts";

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
  readonly client: ProviderClient;
}

/** Subscribes to pushes about a user. A failed subscription is not fatal, since polls also deliver the data. */
export async function subscribeUser(
  connector: Connector,
  { app, teamId, client }: NewConnection,
  log: Log,
): Promise<void> {
  try {
    const address = pushAddress(app, connector.slug, teamId);
    await connector.push?.subscribe?.(client, address);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    log.error("the subscription to a provider's pushes failed", error);
  }
}
