import { consentIdOf } from "../../../crypto/consent-receipt.ts";
import type { Consent } from "../../../domain/connections/consents/consent.ts";
import { listConnections } from "../../../domain/users/user.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { linkSessionIdOf } from "./give-consent.ts";

/** Finds the consent that a link gave with its connection; undefined without one. */
export async function findConsentOfLink(
  { users, consents }: Dependencies<"users" | "consents">,
  caller: LinkCaller,
): Promise<Consent | undefined> {
  const { scope, token } = caller;
  const user = await users.get(scope, token.user_id);
  // One transaction uses the token and creates the connection, at the same instant.
  const made = user && listConnections(user).find(([, { created_on }]) => created_on === token.used_at);
  if (!made) return undefined;
  const [provider, { created_on }] = made;
  const found = await consents.get(scope, token.user_id, consentIdOf({ user_id: token.user_id, provider }, created_on));
  return found?.record.link_session_id === linkSessionIdOf(caller) ? found : undefined;
}
