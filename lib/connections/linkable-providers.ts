import { connectedProviders } from "../connectors/connectors.ts";
import { type Provider, providers } from "../domain/sources/providers.ts";
import type { LinkCaller } from "../runtime/linking/authenticate-link.ts";
import { type AppUses, knownApps } from "./provider-app.ts";

/**
 * The providers that a page for a link token shows: the one that it names, else those that can be connected here and that
 * its filter lets through (spec, Linking).
 * @param hasLogins whether providers with logins can be connected in this deployment.
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
