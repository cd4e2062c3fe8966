import * as z from "zod";
import { appointmentProviders } from "../../appointments/appointment-providers.ts";
import { knownLab } from "../../lab-tests/labs.ts";
import { knownProvider } from "./known-provider.ts";
import { findProvider } from "./providers.ts";

/** Provider of data or appointments, or lab, at which a team can have credentials of its own. */
export const credentialSource = z.union([knownProvider, knownLab, z.enum(appointmentProviders)]);

/** Maximum number of characters of the details, as JSON. */
const MAX_DETAILS_LENGTH = 16_384;

/** Request to set a team's credentials at a provider; replaces existing ones. */
export const customCredentialsDraft = z.object({
  team_id: z.guid().toLowerCase(),
  provider: credentialSource,
  client_id: z.string().min(1).max(1_000).nullish(),
  client_secret: z.string().min(1).max(10_000).nullish(),
  details: z
    .record(z.string(), z.unknown())
    .refine((details) => JSON.stringify(details).length <= MAX_DETAILS_LENGTH, `at most ${MAX_DETAILS_LENGTH} bytes`)
    .nullish()
    .meta({ description: "Further settings of the provider's application; as secret as the client secret" }),
  redirect_url_override: z
    .url({ protocol: /^https$/ })
    .max(2_083)
    .nullish(),
});

/** Stored credentials of a team's own application at a provider; secrets are in an envelope. */
export const customCredentialsRecord = z.object({
  id: z.string(),
  team_id: z.string(),
  source: z.string(),
  client_id: z.string().nullable(),
  /** SHA-256 of the client secret, so that users can identify the stored secret. */
  client_secret_hash: z.string().nullable(),
  redirect_url_override: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  sealed: z.string(),
});
export type CustomCredentials = z.output<typeof customCredentialsRecord>;

/** Content of the envelope. */
export const customSecrets = z.object({
  client_secret: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});

/** Credentials, as returned. Secrets are write-only; details are secrets. */
export const wireCustomCredentials = customCredentialsRecord
  .omit({ sealed: true })
  .extend({ details: z.null(), app_url: z.null() })
  .meta({ id: "TeamCustomCredentials" });

/** Converts stored credentials. */
export function toWireCustomCredentials({
  sealed: _,
  ...shown
}: CustomCredentials): z.output<typeof wireCustomCredentials> {
  return { ...shown, details: null, app_url: null };
}

/** Encryption context of the secrets of a team's credentials. */
export const customSecretsEncryptionContext = (teamId: string, source: string) =>
  ({ purpose: "custom_credentials", team_id: teamId, record: source, field: "secrets" }) as const;

/** OAuth redirect URI of a provider. @param baseUrl URL of the main API. */
export const oauthRedirectUri = (baseUrl: string, provider: string) => `${baseUrl}/v2/link/callback/${provider}`;

/** Settings that a team must configure at a provider before its own application works. */
export function preparationSteps(baseUrl: string, source: string) {
  if (findProvider(source)?.authType !== "oauth") return [];
  const description = "Allow this redirect URI in your application at the provider";
  const value = oauthRedirectUri(baseUrl, source);
  return [{ type: "redirect_uri" as const, key: null, value, description }];
}
