import * as z from "zod";
import { knownLab } from "../lab-tests/labs.ts";
import { findProvider, knownProvider } from "./providers.ts";

/** Who has credentials of its own for a team: a provider or a lab. */
export const credentialSource = z.union([knownProvider, knownLab]);

/** Bytes of further details at most, as JSON. */
const MOST_DETAILS = 16_384;

/** Credentials to be set, in place of those that the team has for the provider. */
export const customCredentialsDraft = z.object({
  team_id: z.guid().toLowerCase(),
  provider: credentialSource,
  client_id: z.string().min(1).max(1_000).nullish(),
  client_secret: z.string().min(1).max(10_000).nullish(),
  details: z
    .record(z.string(), z.unknown())
    .refine((details) => JSON.stringify(details).length <= MOST_DETAILS, `at most ${MOST_DETAILS} bytes`)
    .nullish()
    .meta({ description: "What else the provider's application consists of; kept as secret as the client secret" }),
  redirect_url_override: z
    .url({ protocol: /^https$/ })
    .max(2_083)
    .nullish(),
});

/** Credentials of a team's own application at a provider as stored; what is secret is an envelope. */
export const customCredentialsRecord = z.object({
  id: z.string(),
  team_id: z.string(),
  source: z.string(),
  client_id: z.string().nullable(),
  /** SHA-256 of the client secret, by which people can tell which one is set. */
  client_secret_hash: z.string().nullable(),
  redirect_url_override: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  sealed: z.string(),
});
export type CustomCredentials = z.output<typeof customCredentialsRecord>;

/** What is in the envelope. */
export const customSecrets = z.object({
  client_secret: z.string().nullable(),
  details: z.record(z.string(), z.unknown()).nullable(),
});

/** Credentials as answered: secrets can be set, never read, and details are secrets. */
export const wireCustomCredentials = customCredentialsRecord
  .omit({ sealed: true })
  .extend({ details: z.null(), app_url: z.null() })
  .meta({ id: "TeamCustomCredentials" });

/** The answer for stored credentials. */
export function toWireCustomCredentials({
  sealed: _,
  ...shown
}: CustomCredentials): z.output<typeof wireCustomCredentials> {
  return { ...shown, details: null, app_url: null };
}

/** What the secrets of a team's credentials are bound to. */
export const customSecretsContext = (teamId: string, source: string) =>
  ({ purpose: "custom_credentials", team_id: teamId, record: source, field: "secrets" }) as const;

/** Where a provider sends users back to who have granted access. @param baseUrl of the main API. */
export const oauthRedirectUri = (baseUrl: string, provider: string) => `${baseUrl}/v2/link/callback/${provider}`;

/** What has to be set up at a provider before a team's own application works there. */
export function preparationSteps(baseUrl: string, source: string) {
  if (findProvider(source)?.authType !== "oauth") return [];
  const description = "Allow this redirect URI in the application that the provider keeps for you";
  const value = oauthRedirectUri(baseUrl, source);
  return [{ type: "redirect_uri" as const, key: null, value, description }];
}
