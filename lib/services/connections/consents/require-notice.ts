import { sha256 } from "../../../crypto/api-key.ts";
import { type ConsentNotice, composeNotice } from "../../../domain/connections/consents/consent-notice.ts";
import { linkBrandOf } from "../../../domain/connections/link/link-config.ts";
import { findProvider } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import { LinkRefused, ValidationFailed } from "../../../runtime/errors.ts";

type NoticeCaller = Pick<LinkCaller, "scope" | "team">;

/** The digest of the words that a page has shown, if it has, and its location in the request. */
export interface ShownNotice {
  readonly sha256: string | null | undefined;
  readonly at: readonly string[];
}

/**
 * Composes the words of a connection for the user of a link.
 * @param scopes scopes that the service requests of the provider. @throws LinkRefused for an unknown provider.
 */
export function composeNoticeOf({ team }: NoticeCaller, slug: string, scopes: readonly string[]): ConsentNotice {
  const provider = findProvider(slug);
  if (!provider) throw new LinkRefused("INVALID_PROVIDER", "This provider does not exist.");
  const { consent_purpose: purpose, privacy_policy_url: policyUrl } = team.settings;
  return composeNotice({ provider, teamName: linkBrandOf(team).team_name, purpose, policyUrl, scopes }, sha256);
}

/**
 * Returns the notice that a page has shown; null without one.
 * @param compose composes the current words. @throws ValidationFailed for words that are not the current ones.
 */
export async function requireNotice(
  compose: () => ConsentNotice | Promise<ConsentNotice>,
  { sha256: shown, at }: ShownNotice,
): Promise<ConsentNotice | null> {
  if (shown == null) return null;
  const notice = await compose();
  if (notice.sha256 !== shown) throw ValidationFailed.at(at, "Not the current words of this connection");
  return notice;
}
