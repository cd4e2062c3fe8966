import { sha256 } from "../../crypto/api-key.ts";
import type { Team } from "../../domain/identity.ts";
import type { TeamStore } from "../../store/identity.ts";
import type { KeyStore } from "../../store/keys.ts";
import { TeamScope } from "../../store/team-scope.ts";
import type { UserPortalLinkStore } from "../../store/user-portal-links.ts";
import type { UserStore } from "../../store/users.ts";
import { livingParent } from "../parent-alive.ts";
import { ports } from "../ports.ts";

/** The team of a link. */
interface Opened {
  readonly scope: TeamScope;
  readonly team: Team;
  /** Whether the user got the link directly (`launch`) and not in a message. */
  readonly isPrivate: boolean;
}

/** Authenticates a link. @returns its team; undefined if the link is unknown or expired, or a parent is invalid. */
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
