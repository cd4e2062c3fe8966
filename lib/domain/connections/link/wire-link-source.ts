import * as z from "zod";
import { openEnum } from "../../../contract/open-enum.ts";
import { type Provider, sourceId } from "../providers/providers.ts";
import { logoUrl } from "../sources/source.ts";
import { linkErrorTypes } from "./link-errors.ts";
import { loginRegions } from "./provider-login.ts";

const authType = openEnum(["oauth", "team_oauth", "sdk", "password", "email", "app"]).nullable();

const named = {
  id: z.int(),
  name: z.string(),
  slug: z.string(),
  description: z.string(),
  logo: z.string(),
  oauth_url: z.string().nullable(),
  auth_type: authType,
};

/** Provider in the list of linkable providers. */
export const wireSourceLink = z
  .object({ ...named, form_components: z.record(z.string(), z.unknown()).describe("Fields of the login form") })
  .meta({ id: "SourceLink" });

/** OAuth provider with the URL of its authorization request. */
export const wireOAuthSource = z
  .object({
    ...named,
    source_type: openEnum(["app", "ble", "device", "lab", "provider"]),
    is_active: z.boolean(),
    backfill_num_days: z.int().describe("Days of history that a new connection pulls"),
  })
  .meta({ id: "OAuthSource" });

/** Outcome of a login at a provider; returned with status 200 in every case. */
export const wireProviderLink = z
  .object({
    state: z.enum(["success", "error", "pending_provider_mfa"]),
    redirect_url: z.string().nullable(),
    error_type: openEnum(linkErrorTypes).nullable(),
    error: z.string().nullable(),
    provider_mfa: z
      .object({ method: openEnum(["sms", "email"]), hint: z.string() })
      .nullable()
      .describe("How the provider sent the requested code"),
    provider: z.string(),
    connected: z.boolean(),
    provider_id: z.string().nullable().describe("The provider's id of the user"),
  })
  .meta({ id: "ProviderLink" });

const describe = ({ slug, name, description }: Provider, baseUrl: string) => ({
  id: sourceId(slug),
  name,
  slug,
  description,
  logo: logoUrl(slug, baseUrl),
});

/** Converts a provider of the list. @param baseUrl URL of the API without a trailing slash. */
export function toWireSourceLink(provider: Provider, baseUrl: string): z.output<typeof wireSourceLink> {
  const about = describe(provider, baseUrl);
  return { ...about, oauth_url: null, auth_type: provider.authType, form_components: loginForm(provider) };
}

/** Providers with regional accounts, where a login needs the region. */
const regional = ["freestyle_libre", "abbott_libreview", "dexcom"];

/** Fields of the login form of a provider, in display order. */
function loginForm({ slug, authType }: Provider): Record<string, unknown> {
  const region = regional.includes(slug) ? { region: { type: "select", options: loginRegions } } : {};
  if (authType === "password") return { username: { type: "text" }, password: { type: "password" }, ...region };
  return authType === "email" ? { email: { type: "email" }, ...region } : {};
}

/** Converts an OAuth provider. */
export function toWireOAuthSource(
  provider: Provider,
  baseUrl: string,
  { oauth_url, backfill_num_days }: { oauth_url: string; backfill_num_days: number },
): z.output<typeof wireOAuthSource> {
  const { authType: auth_type, sourceType: source_type } = provider;
  return { ...describe(provider, baseUrl), oauth_url, auth_type, source_type, is_active: true, backfill_num_days };
}
