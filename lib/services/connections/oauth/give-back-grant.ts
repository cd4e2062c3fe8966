import type { Connector, TokenResponse } from "../../../connectors/connector.ts";
import type { TokenRequest } from "../../../connectors/oauth.ts";
import type { ProviderClient } from "../../../connectors/provider-client.ts";
import { ProviderError } from "../../../connectors/provider-error.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import { type AccountUseDependencies, accountUseAccess, isAccountInUse } from "./account-use.ts";
import { tryRevokeAccess } from "./revoke-access.ts";

/** Grants of {@link giveBackGrant}. */
export const giveBackGrantAccess = accountUseAccess;

/** A grant whose connection failed. */
interface UnusedGrant {
  readonly connector: Connector;
  readonly request: TokenRequest;
  readonly reply: TokenResponse;
  readonly client: ProviderClient;
  /** Undefined if the attempt failed before it knew the account. */
  readonly accountId: string | undefined;
}

/**
 * Revokes the grant of a failed attempt, unless a connection uses it. A grant of too few scopes may not show its
 * account: then any connection of the user to the provider may use it.
 */
export async function giveBackGrant(
  deps: AccountUseDependencies,
  { scope, token }: LinkCaller,
  { connector, request, reply, client, accountId: known }: UnusedGrant,
): Promise<void> {
  const { slug: provider } = connector;
  const accountId = known ?? (await connector.oauth.fetchAccountId(reply, client).catch(ignoreProviderError));
  const isUsed =
    accountId === undefined
      ? (await deps.users.get(scope, token.user_id))?.connections[provider] !== undefined
      : await isAccountInUse(deps, scope, { provider, accountId, clientId: request.app.clientId });
  if (!isUsed) await tryRevokeAccess(connector, request, reply.access_token, accountId);
}

function ignoreProviderError(error: unknown): undefined {
  if (!(error instanceof ProviderError)) throw error;
}
