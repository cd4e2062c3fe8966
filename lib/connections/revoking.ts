import type { Connector } from "../connectors/connector.ts";
import { revokeToken, type TokenRequest } from "../connectors/oauth.ts";
import { ProviderError } from "../connectors/provider-error.ts";
import { ProviderClient } from "../connectors/provider-http.ts";
import { ports } from "../runtime/ports.ts";

/** Gives access back to a provider. A provider that does not take it back stands in nobody's way. */
export async function giveBack(
  { oauth: description }: Connector,
  { app, fetch }: Pick<TokenRequest, "app" | "fetch">,
  accessToken: string,
  accountId?: string,
): Promise<void> {
  const { revocation } = description;
  const { now } = ports().clock;
  try {
    if (revocation?.kind === "standard") await revokeToken(description, revocation.url, { app, fetch }, accessToken);
    const client = new ProviderClient({ fetch, accessToken: async () => accessToken, now });
    if (revocation?.kind === "own") await revocation.revoke(client, { app, accountId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}
