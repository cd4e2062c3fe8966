import { sha256 } from "../../crypto/api-key.ts";
import type { Team } from "../../domain/management/records.ts";
import { findTeamOfValidCredential } from "../../runtime/callers/credential-validity.ts";
import { ports } from "../../runtime/ports.ts";
import type { KeyStore } from "../../store/management/keys.ts";
import type { TeamStore } from "../../store/management/teams.ts";
import type { UserPortalLinkStore } from "../../store/portal/user-portal-links.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** The team of a link. */
interface OpenPortal {
  readonly scope: TeamScope;
  readonly team: Team;
  /** Whether the user got the link directly (`launch`) and not in a message. */
  readonly isPrivate: boolean;
}

/** Authenticates a link. @returns its team; undefined if the link is unknown or expired, or a parent is invalid. */
export async function openUserPortal(
  asked: { readonly team_id: string; readonly user_id: string; readonly token: string },
  deps: {
    readonly userPortalLinks: UserPortalLinkStore;
    readonly keys: KeyStore;
    readonly teams: TeamStore;
    readonly users: Pick<UserStore, "get">;
  },
): Promise<OpenPortal | undefined> {
  const { team_id, user_id, token } = asked;
  const link = await deps.userPortalLinks.get({ team_id, user_id, sha256: sha256(token) });
  if (!link || link.expires_at * 1000 <= ports().clock.now()) return undefined;
  const scope = TeamScope.grant(team_id);
  const team = await findTeamOfValidCredential({ ...link, team_id, user_id }, deps);
  return team && { scope, team, isPrivate: link.context === "launch" };
}
