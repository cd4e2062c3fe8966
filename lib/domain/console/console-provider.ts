import * as z from "zod";
import { consoleRole, DEFAULT_IDLE_MINUTES, idleMinutes } from "./console-session.ts";

/** Maximum number of claim values that a provider maps to roles. */
const MAX_ROLES = 50;

/** A value of the role claim, and the role of the people who have it. */
const roleOfValue = z.object({
  value: z.string().min(1).max(200).describe("A value of the claim, such as the name of a group"),
  role: consoleRole,
});

/** Scopes besides `openid`. `profile` has the name that the access log shows. */
const scopeNames = z.array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/)).max(20);

/** Request to set the OpenID Connect provider of a team. */
export const consoleProviderDraft = z.object({
  issuer: z
    .url({ protocol: /^https?$/ })
    .max(500)
    .refine((url) => !/[?#]/.test(url), "An issuer has neither a query nor a fragment")
    .describe("HTTPS address of the provider, as its discovery document names it in `issuer`"),
  client_id: z.string().min(1).max(500),
  client_secret: z.string().min(1).max(2_000).describe("Encrypted and never returned"),
  role_claim: z
    .string()
    .min(1)
    .max(200)
    .describe(
      "Claim of the ID token with the groups or roles of a person: a name, or a path such as `realm_access.roles`",
    ),
  roles: z
    .array(roleOfValue)
    .min(1)
    .max(MAX_ROLES)
    .refine((roles) => new Set(roles.map(({ value }) => value)).size === roles.length, "Each value once")
    .describe("Roles by value of the claim. The first entry that a person has counts"),
  scopes: scopeNames.default(["profile"]).describe("Scopes to request besides `openid`"),
  idle_minutes: idleMinutes
    .default(DEFAULT_IDLE_MINUTES)
    .describe("Minutes after which a session ends if its person does nothing"),
});

/** The provider of a team as stored. Its secret is in an envelope. */
export const consoleProvider = consoleProviderDraft.omit({ client_secret: true }).extend({
  team_id: z.string(),
  /** The key that its sessions stand for. Nobody holds the text of this key. */
  key_id: z.string(),
  sealed: z.string(),
  /** SHA-256 of the client secret, so that users can identify the stored secret. */
  client_secret_hash: z.string(),
  /** ISO 8601. */
  created_at: z.string(),
  updated_at: z.string(),
});
export type ConsoleProvider = z.output<typeof consoleProvider>;

/** A provider in its wire form, with the addresses that its administrator and its people need. */
export const wireConsoleProvider = consoleProvider
  .omit({ key_id: true, sealed: true })
  .extend({
    redirect_uri: z.url().describe("Register this address at the provider"),
    sign_in_url: z.url().describe("The address at which people sign in"),
  })
  .meta({ id: "ConsoleProvider" });

/** Path of the page to which a provider sends the browser back. */
const SIGN_IN_PATH = "/console/sign-in";

/** The redirect URI of every team. @param baseUrl public base URL of the API. */
export const signInRedirectUri = (baseUrl: string): string => `${baseUrl}${SIGN_IN_PATH}`;

/** Converts a provider to its wire form. @param baseUrl public base URL of the API. */
export function toWireConsoleProvider(
  { key_id: _, sealed: __, ...shown }: ConsoleProvider,
  baseUrl: string,
): z.output<typeof wireConsoleProvider> {
  const redirect_uri = signInRedirectUri(baseUrl);
  return { ...shown, redirect_uri, sign_in_url: `${redirect_uri}?team=${shown.team_id}` };
}

/** Encryption context of the client secret. */
export const consoleProviderEncryptionContext = (teamId: string) =>
  ({ purpose: "console_provider", team_id: teamId, record: teamId, field: "client_secret" }) as const;

/** Whether a change concerns who gets which role. Sessions of before such a change end. */
export const changesRoles = (
  before: Pick<ConsoleProvider, "issuer" | "client_id" | "role_claim" | "roles">,
  after: typeof before,
): boolean =>
  before.issuer !== after.issuer ||
  before.client_id !== after.client_id ||
  before.role_claim !== after.role_claim ||
  JSON.stringify(before.roles) !== JSON.stringify(after.roles);
