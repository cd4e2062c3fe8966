import type { Connector } from "../../../connectors/connector.ts";
import { revokeToken, type TokenRequest } from "../../../connectors/oauth.ts";
import { ProviderError } from "../../../connectors/provider-error.ts";
import { createGrantedClient } from "../providers/granted-client.ts";

/** Revokes access at a provider. Ignores errors of the provider. */
export async function tryRevokeAccess(
  connector: Connector,
  request: Pick<TokenRequest, "app" | "fetch">,
  accessToken: string,
  accountId?: string,
): Promise<void> {
  try {
    await revokeAccess(connector, request, accessToken, accountId);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
}

/** Revokes access at a provider that supports revocation. @throws ProviderError if the revocation fails. */
export async function revokeAccess(
  connector: Connector,
  { app, fetch }: Pick<TokenRequest, "app" | "fetch">,
  accessToken: string,
  accountId?: string,
): Promise<void> {
  const { oauth: description } = connector;
  const { revocation } = description;
  if (revocation?.kind === "standard") await revokeToken(description, revocation, { app, fetch }, accessToken);
  const client = createGrantedClient(connector, { app, fetch }, accessToken);
  if (revocation?.kind === "own") await revocation.revoke(client, { app, accountId });
}
