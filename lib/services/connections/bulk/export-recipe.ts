import { connectionEncryptionContext, grantedTokens } from "../../../domain/connections/connection-credentials.ts";
import { type ConnectionRecipe, toExpiresAt } from "../../../domain/connections/connection-recipe.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { RefreshAccessDependencies } from "../oauth/refresh-access.ts";

/**
 * Exports the current credentials of a connection, without a refresh. Undefined for a connection without credentials
 * that work outside this service.
 */
export async function exportRecipe(
  { connectionCredentials, credentials }: Pick<RefreshAccessDependencies, "connectionCredentials" | "credentials">,
  scope: TeamScope,
  { user_id, connections }: UserRecord,
  provider: string,
): Promise<ConnectionRecipe | undefined> {
  const stored = await connectionCredentials.get(scope, user_id, provider);
  const connection = connections[provider];
  if (!stored || stored.demo || stored.connected_on !== connection?.created_on) return undefined;
  const { access_token, refresh_token } = grantedTokens.parse(
    JSON.parse(await credentials.decrypt(stored.sealed, connectionEncryptionContext(stored))),
  );
  return {
    user_id,
    access_token,
    refresh_token: refresh_token ?? "",
    provider_id: connection.external_user_id ?? "",
    expires_at: toExpiresAt(stored.access_ends_at),
    oauth_scopes: stored.scopes,
  };
}
