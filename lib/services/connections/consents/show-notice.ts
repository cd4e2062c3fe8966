import { findConnector } from "../../../connectors/connectors.ts";
import { getItem } from "../../../contract/access.ts";
import { scopeRequirements } from "../../../contract/resources.ts";
import type { ConsentNotice } from "../../../domain/connections/consents/consent-notice.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { requestedScopes } from "../oauth/start-oauth.ts";
import { composeNoticeOf } from "./require-notice.ts";

type ShowNoticeDependencies = Dependencies<"scopeRequirements">;

/** Grants of {@link composeCurrentNotice}. */
export const showNoticeAccess = [getItem(scopeRequirements)] as const;

/** Composes the words of a connection, with the scopes of OAuth. @throws LinkRefused for an unknown provider. */
export async function composeCurrentNotice(
  deps: ShowNoticeDependencies,
  caller: Pick<LinkCaller, "scope" | "team">,
  slug: string,
): Promise<ConsentNotice> {
  const connector = await findConnector(slug);
  return composeNoticeOf(caller, slug, connector ? await requestedScopes(deps, caller, connector) : []);
}
