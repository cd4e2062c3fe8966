import { decryptDataKey, generateDataKey, getItem, putItem } from "../../../contract/access.ts";
import { consentKeys, credentialsKey } from "../../../contract/resources.ts";
import { generateSigningKey, signReceipt } from "../../../crypto/consent-receipt.ts";
import {
  type ConsentKey,
  consentKeyEncryptionContext,
  consentKeysUrl,
} from "../../../domain/connections/consents/consent.ts";
import type { ConsentRecord } from "../../../domain/connections/consents/consent-record.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { isoNow } from "../../../runtime/ports.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

export type SignConsentDependencies = Dependencies<"consentKeys" | "credentials">;

/** Grants of {@link signConsent} where the team has a key. */
export const signConsentAccess = [getItem(consentKeys), decryptDataKey(credentialsKey, "consent_signing")] as const;

/** Grants of {@link ensureConsentKey}. */
export const ensureConsentKeyAccess = [
  getItem(consentKeys),
  putItem(consentKeys),
  generateDataKey(credentialsKey, "consent_signing"),
] as const;

/** Returns the signing key of a team, and creates it before the first consent. */
export async function ensureConsentKey(
  { consentKeys, credentials }: SignConsentDependencies,
  scope: TeamScope,
): Promise<ConsentKey> {
  const known = await consentKeys.get(scope);
  if (known) return known;
  const { jwk, privatePem } = generateSigningKey();
  const sealed = await credentials.encrypt(privatePem, consentKeyEncryptionContext(scope.teamId));
  return consentKeys.create(scope, { jwk, sealed, created_at: isoNow() });
}

/** Signs the record of a consent. @returns the receipt, a JWS in compact form. */
export async function signConsent(
  { credentials }: Pick<SignConsentDependencies, "credentials">,
  scope: TeamScope,
  record: ConsentRecord,
  { jwk, sealed }: ConsentKey,
): Promise<string> {
  const privatePem = await credentials.decrypt(sealed, consentKeyEncryptionContext(scope.teamId));
  const keysUrl = consentKeysUrl(baseUrl(), scope.teamId);
  return signReceipt({ iss: baseUrl(), ...record }, { kid: jwk.kid, keysUrl, privatePem });
}
