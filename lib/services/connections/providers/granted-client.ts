import type { PulledProvider } from "../../../connectors/connector.ts";
import { ProviderClient, type ProviderFetch } from "../../../connectors/provider-client.ts";
import { ports } from "../../../runtime/ports.ts";

/** Creates a client with a new access token, without refresh. */
export function createGrantedClient(
  { retryAt, statusFromBody }: PulledProvider,
  fetch: ProviderFetch,
  accessToken: string,
): ProviderClient {
  const { now } = ports().clock;
  return new ProviderClient({ fetch, accessToken: async () => accessToken, now, retryAt, statusFromBody });
}
