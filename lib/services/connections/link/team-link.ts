import { getItem } from "../../../contract/access.ts";
import { credentialParentAccess } from "../../../contract/endpoint.ts";
import { linkTokens } from "../../../contract/resources.ts";
import {
  findLinkCaller,
  type LinkCaller,
  type LinkTokenDependencies,
  type LinkTokenRefusal,
  requireOpenLink,
} from "../../../runtime/callers/authenticate-link.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

/** Grants of {@link readTeamLink}. */
export const readTeamLinkAccess = [getItem(linkTokens), ...credentialParentAccess] as const;

/**
 * Reads a link token that a team sends with its key. A token of another team reads as an unknown one, in any state.
 * @returns the caller of a token that can still connect a provider, otherwise why it cannot.
 */
export async function readTeamLink(
  scope: TeamScope,
  text: string,
  deps: LinkTokenDependencies,
): Promise<LinkCaller | LinkTokenRefusal> {
  return requireOpenLink(await findLinkCaller(text, deps, scope));
}
