import { getItem, grants, putItem } from "../../../contract/access.ts";
import { consents, outbox } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { consentIdOf } from "../../../crypto/consent-receipt.ts";
import type { Consent } from "../../../domain/connections/consents/consent.ts";
import type { ConsentNotice } from "../../../domain/connections/consents/consent-notice.ts";
import { newConsentRecord } from "../../../domain/connections/consents/consent-record.ts";
import { findProvider } from "../../../domain/connections/providers/providers.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import { consentEvent } from "../../../events/constructors/connection-events.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { WriteItem } from "../../../store/transaction.ts";
import { endConsentItems } from "./end-consent.ts";
import { ensureConsentKey, ensureConsentKeyAccess, signConsent, signConsentAccess } from "./sign-consent.ts";

export type GiveConsentDependencies = Dependencies<"consents" | "consentKeys" | "credentials" | "outbox">;

/** Grants of {@link giveConsentItems}. */
export const giveConsentAccess = grants(
  [getItem(consents), putItem(consents), putItem(outbox)],
  ensureConsentKeyAccess,
  signConsentAccess,
);

/** What a user agrees to with a new connection. */
export interface AgreedConnection {
  readonly provider: string;
  /** Scopes that the user granted at the provider. */
  readonly granted: readonly string[];
  /** The words that the user saw; null if the service showed none. */
  readonly notice: ConsentNotice | null;
  /** Scopes that the service requested. */
  readonly requested: readonly string[];
}

/** The id by which receipts distinguish links. Nobody can compute a token or its stored hash from it. */
export const linkSessionIdOf = ({ tokenHash }: Pick<LinkCaller, "tokenHash">): string =>
  sha256(`link session ${tokenHash}`).slice(0, 32);

/**
 * Plans the writes of the consent of a new connection: its signed receipt and its event, and the end of the consent
 * behind the connection that it replaces. @param now creation of the connection, ISO 8601.
 */
export async function giveConsentItems(
  deps: GiveConsentDependencies,
  caller: LinkCaller,
  user: UserRecord,
  { provider, granted, notice, requested }: AgreedConnection,
  now: string,
): Promise<WriteItem[]> {
  const { scope, team } = caller;
  const record = newConsentRecord({
    consentId: consentIdOf({ user_id: user.user_id, provider }, now),
    userId: user.user_id,
    // A link connects only providers of the list.
    provider: findProvider(provider)!,
    team,
    scopes: { shown: [...requested], granted: [...granted] },
    notice,
    linkSessionId: linkSessionIdOf(caller),
    at: now,
  });
  const receipt = await signConsent(deps, scope, record, await ensureConsentKey(deps, scope));
  const ends = { ended_at: null, ended_by: null };
  const given: Consent = {
    consent_id: record.record_id,
    provider,
    state: "given",
    given_at: now,
    ...ends,
    record,
    receipt,
  };
  return [
    deps.consents.createItem(scope, user.user_id, given),
    deps.outbox.appendItem(consentEvent(user, given), now),
    ...(await endConsentItems(deps, scope, user, provider, { state: "terminated", by: "user", at: now })),
  ];
}
