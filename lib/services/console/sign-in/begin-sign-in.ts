import { getItem, putItem } from "../../../contract/access.ts";
import { consoleProviders, consoleSignIns, teams } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { generateToken } from "../../../crypto/opaque-token.ts";
import { codeVerifierOf, nonceOf, sealForBrowser } from "../../../crypto/sign-in-secret.ts";
import { type ConsoleProvider, signInRedirectUri } from "../../../domain/console/console-provider.ts";
import { CONSOLE_SIGN_IN_TTL_MS } from "../../../domain/console/console-sign-in.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { signInCookie } from "../../../runtime/http/sign-in-cookie.ts";
import type { Log } from "../../../runtime/log.ts";
import { ports } from "../../../runtime/ports.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { buildSignInUrl, type OpenIdClient } from "./open-id-provider.ts";
import { noProvider } from "./sign-in-errors.ts";

/** Grants of {@link beginSignIn}. */
export const beginSignInAccess = [getItem(teams), getItem(consoleProviders), putItem(consoleSignIns)] as const;

/** Random bytes of the secret that binds a sign-in to its browser. */
const SECRET_BYTES = 32;

/** The client of a team at its provider. */
export const clientOf = ({ issuer, client_id }: ConsoleProvider): OpenIdClient => ({
  issuer,
  clientId: client_id,
  redirectUri: signInRedirectUri(baseUrl()),
});

/**
 * Begins a sign-in at the provider of a team.
 * @returns the address at the provider, and the cookie without which nobody can finish the sign-in.
 * @throws NotPossible without a provider, or if it does not answer.
 */
export async function beginSignIn(
  { team_id, return_to }: { readonly team_id: string; readonly return_to: string },
  { teams, consoleProviders, consoleSignIns }: Dependencies<"teams" | "consoleProviders" | "consoleSignIns">,
  log: Log,
): Promise<{ authorization_url: string; expires_at: string; cookie: string }> {
  const team = await teams.get(team_id);
  const provider = team && (await consoleProviders.get(TeamScope.grant(team_id)));
  if (!provider) throw noProvider();
  const { clock, ids } = ports();
  const { token: state, sha256: name } = generateToken("st", ids.bytes);
  const secret = ids.bytes(SECRET_BYTES).toString("base64url");
  const expectation = { state, nonce: nonceOf(secret), codeVerifier: codeVerifierOf(secret) };
  const authorization_url = await buildSignInUrl(clientOf(provider), provider.scopes, expectation, log);
  const ends_at = new Date(clock.now() + CONSOLE_SIGN_IN_TTL_MS).toISOString();
  await consoleSignIns.create(name, {
    ...{ team_id, key_id: provider.key_id, ends_at },
    browser: sha256(secret),
    return_to: sealForBrowser(secret, return_to, name),
  });
  return { authorization_url, expires_at: ends_at, cookie: signInCookie(state, secret) };
}
