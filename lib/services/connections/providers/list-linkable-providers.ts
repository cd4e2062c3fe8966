import { connectorSlugs } from "../../../connectors/connectors.ts";
import { type Provider, providers } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import { loadAppLookup, type ProviderAppDependencies } from "./provider-app.ts";

/**
 * Lists the providers of a link page: the provider of the token, or else the connectable providers that its filter
 * allows.
 * @param hasLogins whether this deployment can connect providers with logins.
 */
export async function listLinkableProviders(
  deps: Pick<ProviderAppDependencies, "customCredentials" | "providerApps">,
  { scope, token }: Pick<LinkCaller, "scope" | "token">,
  hasLogins: boolean,
): Promise<string[]> {
  if (token.provider !== null) return [token.provider];
  const hasApp = await loadAppLookup(deps, scope);
  const isLinkable = ({ slug, authType }: Provider): boolean => {
    if (authType === "oauth") return connectorSlugs.includes(slug) && hasApp(slug);
    return authType === "sdk" || (authType !== null && hasLogins);
  };
  const slugs = providers.filter(isLinkable).map(({ slug }) => slug);
  return slugs.filter((slug) => token.filter_on_providers?.includes(slug) ?? true);
}
