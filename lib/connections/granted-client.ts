import type { PulledProvider } from "../connectors/connector.ts";
import { ProviderClient, type ProviderFetch } from "../connectors/provider-http.ts";
import { ports } from "../runtime/ports.ts";

/** Creates a client with a new access token, without refresh. */
export function grantedClient(
  { retryAt, statusOf }: PulledProvider,
  fetch: ProviderFetch,
  accessToken: string,
): ProviderClient {
  const { now } = ports().clock;
  return new ProviderClient({ fetch, accessToken: async () => accessToken, now, retryAt, statusOf });
}
