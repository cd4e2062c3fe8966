import { isLinkable, type LinkToken } from "../../domain/linking/link-token.ts";
import { LinkRefused } from "../errors.ts";

/** The path parameters in which link routes name a provider. */
interface NamedProvider {
  readonly provider?: string;
  readonly oauth_provider?: string;
}

/** @throws LinkRefused where a link token is used at a route of a provider that the token does not let through. */
export function requireLinkable(caller: { readonly token?: LinkToken }, params: NamedProvider): void {
  const slug = params.provider ?? params.oauth_provider;
  if (caller.token === undefined || slug === undefined || isLinkable(caller.token, slug)) return;
  throw new LinkRefused("INVALID_PROVIDER", "This link is not for this provider.");
}
