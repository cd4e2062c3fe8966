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

/** Whose page the link opens; undefined where it is unknown or over, or its user or team is deleted. */
export async function openUserPortal(
  asked: { readonly team_id: string; readonly user_id: string; readonly token: string },
  uses: {
    readonly userPortalLinks: UserPortalLinkStore;
    readonly teams: TeamStore;
    readonly users: Pick<UserStore, "get">;
  },
): Promise<Opened | undefined> {
  const scope = TeamScope.grant(asked.team_id);
  const link = await uses.userPortalLinks.get(scope, asked.user_id, sha256(asked.token));
  if (!link || link.expires_at * 1000 <= ports().clock.now()) return undefined;
  const [team, user] = await Promise.all([uses.teams.get(asked.team_id), uses.users.get(scope, asked.user_id)]);
  return team && user ? { scope, team, user, isPrivate: link.context === "launch" } : undefined;
}
