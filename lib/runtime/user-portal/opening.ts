import { sha256 } from "../../crypto/api-key.ts";
import type { Team } from "../../domain/identity.ts";
import type { UserRecord } from "../../domain/user.ts";
import type { TeamStore } from "../../store/identity.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { UserPortalLinkStore } from "../../store/user-portal-links.ts";
import type { UserStore } from "../../store/users.ts";
import { ports } from "../ports.ts";

/** Whose page a link opens. */
interface Opened {
  readonly scope: TeamScope;
  readonly team: Team;
  readonly user: UserRecord;
  /** Whether the link was given to the user at once, and not sent by a message. */
  readonly isPrivate: boolean;
}

/** Authenticates whoever has a link. @returns whose page it opens; undefined where it is unknown or over, or its user or team is deleted. */
export async function openUserPortal(
  asked: { readonly team_id: string; readonly user_id: string; readonly token: string },
  uses: {
    readonly userPortalLinks: UserPortalLinkStore;
    readonly teams: TeamStore;
    readonly users: Pick<UserStore, "get">;
  },
): Promise<Opened | undefined> {
  const { team_id, user_id, token } = asked;
  const link = await uses.userPortalLinks.get({ team_id, user_id, sha256: sha256(token) });
  if (!link || link.expires_at * 1000 <= ports().clock.now()) return undefined;
  const scope = TeamScope.grant(team_id);
  const [team, user] = await Promise.all([uses.teams.get(team_id), uses.users.get(scope, user_id)]);
  return team && user ? { scope, team, user, isPrivate: link.context === "launch" } : undefined;
}
