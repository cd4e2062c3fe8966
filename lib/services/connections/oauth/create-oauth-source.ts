import type * as z from "zod";
import { getItem } from "../../../contract/access.ts";
import { users } from "../../../contract/resources.ts";
import type { ConsentNotice } from "../../../domain/connections/consents/consent-notice.ts";
import { toWireOAuthSource, type wireOAuthSource } from "../../../domain/connections/link/wire-link-source.ts";
import { findProvider } from "../../../domain/connections/providers/providers.ts";
import type { LinkCaller } from "../../../runtime/callers/authenticate-link.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import { UserNotFound } from "../../../runtime/errors.ts";
import { baseUrl } from "../../../runtime/wire-source.ts";
import {
  createOAuthTicket,
  createOAuthTicketAccess,
  requireOAuthConnector,
  type StartOAuthDependencies,
} from "./start-oauth.ts";

/** Grants of {@link createOAuthSource}. */
export const createOAuthSourceAccess = [getItem(users), ...createOAuthTicketAccess] as const;

/**
 * Describes an OAuth provider to the holder of a link token, with a new URL that starts OAuth in the user's browser.
 * @param notice the words that the user saw.
 * @throws LinkRefused for another kind of provider; UserNotFound; NotPossible as {@link createOAuthTicket}.
 */
export async function createOAuthSource(
  deps: StartOAuthDependencies & Dependencies<"users">,
  caller: LinkCaller,
  slug: string,
  notice: ConsentNotice | null = null,
): Promise<z.output<typeof wireOAuthSource>> {
  const connector = await requireOAuthConnector(slug);
  if (!(await deps.users.get(caller.scope, caller.token.user_id))) throw new UserNotFound();
  const oauth_url = await createOAuthTicket(deps, caller, connector, notice);
  const about = { oauth_url, backfill_num_days: connector.historyDays };
  // The connector's slug is in the catalogue of providers.
  return toWireOAuthSource(findProvider(connector.slug)!, baseUrl(), about);
}
