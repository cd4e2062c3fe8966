import { isLinkable, type LinkToken } from "../../domain/connections/link/link-token.ts";
import { LinkRefused } from "../errors.ts";

/** Path parameters of link routes that identify a provider. */
interface NamedProvider {
  readonly provider?: string;
  readonly oauth_provider?: string;
}

/** @throws LinkRefused for a route of a provider that the link token does not allow. */
export function requireLinkable(caller: { readonly token?: LinkToken }, params: NamedProvider): void {
  const slug = params.provider ?? params.oauth_provider;
  if (caller.token === undefined || slug === undefined || isLinkable(caller.token, slug)) return;
  throw new LinkRefused("INVALID_PROVIDER", "This link does not allow this provider.");
}
