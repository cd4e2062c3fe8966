import { sha256 } from "../../crypto/api-key.ts";
import type { Team } from "../../domain/identity.ts";
import type { TeamStore } from "../../store/identity.ts";
import type { KeyStore } from "../../store/keys.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { UserPortalLinkStore } from "../../store/user-portal-links.ts";
import type { UserStore } from "../../store/users.ts";
import { livingParent } from "../parent-alive.ts";
import { ports } from "../ports.ts";

/** Whose page a link opens. */
interface Opened {
  readonly scope: TeamScope;
  readonly team: Team;
  /** Whether the link was given to the user at once, and not sent by a message. */
  readonly isPrivate: boolean;
}

/** Authenticates whoever has a link. @returns whose page it opens; undefined where it is unknown or over, or hangs on something dead. */
export async function openUserPortal(
  asked: { readonly team_id: string; readonly user_id: string; readonly token: string },
  uses: {
    readonly userPortalLinks: UserPortalLinkStore;
    readonly keys: KeyStore;
    readonly teams: TeamStore;
    readonly users: Pick<UserStore, "get">;
  },
): Promise<Opened | undefined> {
  const { team_id, user_id, token } = asked;
  const link = await uses.userPortalLinks.get({ team_id, user_id, sha256: sha256(token) });
  if (!link || link.expires_at * 1000 <= ports().clock.now()) return undefined;
  const scope = TeamScope.grant(team_id);
  const team = await livingParent({ ...link, team_id, user_id }, uses);
  return team && { scope, team, isPrivate: link.context === "launch" };
}
