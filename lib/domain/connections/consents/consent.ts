import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { consentParties, consentRecord, consentStates } from "./consent-record.ts";

/** Pattern of consent ids: the time of the consent in hex, then a digest of the connection. Ids sort by time. */
export const consentId = z.string().regex(/^cns_[0-9a-f]{32}$/);

/** A consent as stored, with its receipt. */
export const consent = z.object({
  consent_id: z.string(),
  provider: z.string(),
  state: z.enum(consentStates),
  given_at: z.string(),
  ended_at: z.string().nullable(),
  ended_by: z.enum(consentParties).nullable(),
  record: consentRecord,
  /** JWS of the record in compact form (RFC 7515). */
  receipt: z.string(),
});
export type Consent = z.output<typeof consent>;

/** A consent in its wire form. */
export const wireConsent = consent
  .extend({
    state: openEnum(consentStates),
    given_at: z.iso.datetime({ offset: true }),
    ended_at: z.iso.datetime({ offset: true }).nullable(),
    ended_by: openEnum(consentParties).nullable(),
    receipt: z.string().describe("The signed record: a JWS in compact form, whose payload is `record` with `iss`"),
    keys_url: z.string().describe("Address of the public keys that verify the receipt"),
  })
  .meta({ id: "Consent" });

/** Address of the public keys of a team. @param baseUrl URL of the API without a trailing slash. */
export const consentKeysUrl = (baseUrl: string, teamId: string): string => `${baseUrl}/v2/consent_keys/${teamId}`;

/** Converts a consent. */
export const toWireConsent = (
  one: Consent,
  { baseUrl, teamId }: { baseUrl: string; teamId: string },
): z.output<typeof wireConsent> => ({ ...one, keys_url: consentKeysUrl(baseUrl, teamId) });

/** Payload of the events of a consent: no words, and no receipt. */
export const wireConsentChange = z
  .object({
    user_id: z.guid(),
    consent_id: z.string(),
    provider: z.string(),
    state: openEnum(consentStates),
    given_at: z.iso.datetime({ offset: true }),
    ended_at: z.iso.datetime({ offset: true }).nullable(),
    ended_by: openEnum(consentParties).nullable(),
  })
  .meta({ id: "ConsentChange" });

/** The public half of a signing key, as a JSON Web Key (RFC 7517). */
export const publicSigningKey = z
  .object({
    kty: z.literal("EC"),
    crv: z.literal("P-256"),
    x: z.string(),
    y: z.string(),
    kid: z.string().describe("Thumbprint of the key (RFC 7638)"),
    alg: z.literal("ES256"),
    use: z.literal("sig"),
  })
  .meta({ id: "PublicSigningKey" });

/** Signing key of a team as stored, with its private half in an envelope. */
export const consentKey = z.object({ jwk: publicSigningKey, sealed: z.string(), created_at: z.string() });
export type ConsentKey = z.output<typeof consentKey>;

/** Encryption context of a team's signing key. */
export const consentKeyEncryptionContext = (team_id: string) =>
  ({ purpose: "consent_signing", team_id, record: "key", field: "private" }) as const;
