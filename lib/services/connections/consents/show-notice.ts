import { findConnector } from "../../../connectors/connectors.ts";
import { getItem } from "../../../contract/access.ts";
import { scopeRequirements } from "../../../contract/resources.ts";
import { sha256 } from "../../../crypto/api-key.ts";
import { type ConsentNotice, composeNotice } from "../../../domain/connections/consents/consent-notice.ts";
import { linkBrandOf } from "../../../domain/connections/link/link-config.ts";
import { findProvider } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { LinkRefused, ValidationFailed } from "../../../runtime/errors.ts";
import { requestedScopes } from "../oauth/start-oauth.ts";

export type ShowNoticeDependencies = Dependencies<"scopeRequirements">;

/** Grants of {@link composeCurrentNotice}. */
export const showNoticeAccess = [getItem(scopeRequirements)] as const;

/** Composes the words of a connection for the user of a link. @throws LinkRefused for an unknown provider. */
export async function composeCurrentNotice(
  deps: ShowNoticeDependencies,
  caller: Pick<LinkCaller, "scope" | "team">,
  slug: string,
): Promise<ConsentNotice> {
  const provider = findProvider(slug);
  if (!provider) throw new LinkRefused("INVALID_PROVIDER", "This provider does not exist.");
  const connector = await findConnector(slug);
  const scopes = connector ? await requestedScopes(deps, caller, connector) : [];
  const { consent_purpose: purpose, privacy_policy_url: policyUrl } = caller.team.settings;
  return composeNotice({ provider, teamName: linkBrandOf(caller.team).team_name, purpose, policyUrl, scopes }, sha256);
}

/**
 * Returns the notice that a page has shown, by its digest; null without one.
 * @param at location of the digest in the request. @throws ValidationFailed for words that are not the current ones.
 */
export async function requireShownNotice(
  deps: ShowNoticeDependencies,
  caller: Pick<LinkCaller, "scope" | "team">,
  slug: string,
  { sha256: shown, at }: { sha256: string | null | undefined; at: readonly string[] },
): Promise<ConsentNotice | null> {
  if (shown == null) return null;
  const notice = await composeCurrentNotice(deps, caller, slug);
  if (notice.sha256 !== shown) throw ValidationFailed.at(at, "Not the current words of this connection");
  return notice;
}
