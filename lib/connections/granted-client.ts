import type { Connector } from "../connectors/connector.ts";
import { ProviderClient } from "../connectors/provider-http.ts";
import { ports } from "../runtime/ports.ts";
import { providerFetch } from "./provider-fetch.ts";

/** Requests with an access token that was just given and is not renewed. */
export function grantedClient({ retryAt, statusOf }: Connector, accessToken: string): ProviderClient {
  const { now } = ports().clock;
  return new ProviderClient({ fetch: providerFetch, accessToken: async () => accessToken, now, retryAt, statusOf });
}
