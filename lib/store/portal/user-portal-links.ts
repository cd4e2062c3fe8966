import { userPortalLinks } from "../../contract/resources.ts";
import { type UserPortalLink, userPortalLink } from "../../domain/portal/user-portal-link.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

const partitionOf = (teamId: string, userId: string) => `${userPortalLinks.keyPrefix}${teamId}#${userId}`;
const partition = ({ teamId }: TeamScope, userId: string) => partitionOf(teamId, userId);

/** Unverified claims of a link. Only its secret proves them. */
export interface UserPortalLinkClaim {
  readonly team_id: string;
  readonly user_id: string;
  /** The SHA-256 (hex) of its secret. */
  readonly sha256: string;
}

/** Links to the pages of users, by the SHA-256 (hex) of their secrets. */
export class UserPortalLinkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** Returns the link, including an expired one. Authentication reads it before any scope exists. */
  get({ team_id, user_id, sha256 }: UserPortalLinkClaim): Promise<UserPortalLink | undefined> {
    return this.#table.get({ pk: partitionOf(team_id, user_id), sk: sha256 }, userPortalLink);
  }

  /** @throws ConditionFailed if the hash exists. */
  create(scope: TeamScope, userId: string, sha256: string, link: UserPortalLink): Promise<void> {
    const key = { pk: partition(scope, userId), sk: sha256 };
    return this.#table.put({ ...key, ...link }, { ConditionExpression: NOT_EXISTS });
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, userId));
  }
}
