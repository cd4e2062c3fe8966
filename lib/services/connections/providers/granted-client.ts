import type { ClientCredentials } from "../../../connectors/client-credentials.ts";
import type { PulledProvider } from "../../../connectors/connector.ts";
import { ProviderClient, type ProviderFetch } from "../../../connectors/provider-client.ts";
import { ports } from "../../../runtime/ports.ts";

/** Creates a client with a new access token of an application, without refresh. */
export function createGrantedClient(
  { retryAt, statusFromBody, tokenPlace }: PulledProvider,
  { app, fetch }: { readonly app: ClientCredentials; readonly fetch: ProviderFetch },
  accessToken: string,
): ProviderClient {
  const { now } = ports().clock;
  const fixed = { accessToken: async () => accessToken, app: async () => app };
  return new ProviderClient({ fetch, ...fixed, now, retryAt, statusFromBody, tokenPlace });
}
