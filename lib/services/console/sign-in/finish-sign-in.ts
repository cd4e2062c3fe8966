import { decryptDataKey, getItem, grants, updateItem } from "../../../contract/access.ts";
import { consoleProviders, consoleSignIns, credentialsKey, keys, teams } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { codeVerifierOf, nonceOf, openForBrowser } from "../../../crypto/sign-in-secret.ts";
import { consoleProviderEncryptionContext } from "../../../domain/console/console-provider.ts";
import { findRole, nameOfPerson } from "../../../domain/console/person-claims.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { signInSecret } from "../../../runtime/http/sign-in-cookie.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { TeamScope } from "../../../store/team-scope.ts";
import { type OpenedSession, openSession } from "../open-session.ts";
import { clientOf } from "./begin-sign-in.ts";
import { redeemCode } from "./open-id-provider.ts";
import { noRole, providerChanged, wrongBrowser } from "./sign-in-errors.ts";

/** Grants of {@link finishSignIn}, besides those to write the session. */
export const finishSignInAccess = grants(
  [updateItem(consoleSignIns), getItem(consoleProviders), getItem(teams), getItem(keys)],
  [decryptDataKey(credentialsKey, "console_provider")],
);

type FinishDependencies = Dependencies<
  "consoleSignIns" | "consoleProviders" | "teams" | "keys" | "credentials" | "consoleSessions" | "commit"
>;

/**
 * Finishes a sign-in with the authorization response of the provider, and opens the session of the person. A sign-in
 * finishes once, in the browser that began it, whatever the provider then answers.
 * @returns the session, and the place to which the person wanted to go.
 * @throws Unauthorized, Forbidden or NotPossible, which say what to do.
 */
export async function finishSignIn(
  response: URLSearchParams,
  cookies: readonly string[],
  deps: FinishDependencies,
  log: Log,
): Promise<{ opened: OpenedSession; return_to: string }> {
  const state = response.get("state") ?? "";
  const [name, secret = ""] = [sha256(state), signInSecret(cookies, state)];
  const signIn = await deps.consoleSignIns.consume(name, isoNow(), { browser: sha256(secret) });
  if (!signIn) throw wrongBrowser();
  const scope = TeamScope.grant(signIn.team_id);
  const [team, provider, key] = await Promise.all([
    deps.teams.get(signIn.team_id),
    deps.consoleProviders.get(scope),
    deps.keys.get(signIn.key_id),
  ]);
  if (!team || !key || provider?.key_id !== signIn.key_id) throw providerChanged();
  const clientSecret = await deps.credentials.decrypt(
    provider.sealed,
    consoleProviderEncryptionContext(provider.team_id),
  );
  const expectation = { state, nonce: nonceOf(secret), codeVerifier: codeVerifierOf(secret) };
  const claims = await redeemCode(clientOf(provider), clientSecret, response, expectation, log);
  const role = findRole(claims, provider);
  if (role === undefined) throw noRole();
  const { idle_minutes } = provider;
  const person = { role, name: nameOfPerson(claims), subject: claims.sub, idle_minutes };
  const opened = await openSession({ team, key }, person, [], deps);
  return { opened, return_to: openForBrowser(secret, signIn.return_to, name) };
}
