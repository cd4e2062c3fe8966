import { connectedProviders } from "../connectors/connectors.ts";
import { type Provider, providers } from "../domain/sources/providers.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { type AppUses, knownApps } from "./provider-app.ts";

/**
 * Lists the providers of a link page: the provider of the token, or else the connectable providers that its filter
 * allows.
 * @param hasLogins whether this deployment can connect providers with logins.
 */
export async function linkableProviders(
  uses: Pick<AppUses, "customCredentials" | "providerApps">,
  { scope, token }: Pick<LinkCaller, "scope" | "token">,
  hasLogins: boolean,
): Promise<string[]> {
  if (token.provider !== null) return [token.provider];
  const hasApp = await knownApps(uses, scope);
  const isLinkable = ({ slug, authType }: Provider): boolean => {
    if (authType === "oauth") return connectedProviders.includes(slug) && hasApp(slug);
    return authType === "sdk" || (authType !== null && hasLogins);
  };
  const slugs = providers.filter(isLinkable).map(({ slug }) => slug);
  return slugs.filter((slug) => token.filter_on_providers?.includes(slug) ?? true);
}
