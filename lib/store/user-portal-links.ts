import { userPortalLinks } from "../contract/resources.ts";
import { type UserPortalLink, userPortalLink } from "../domain/user-portal-link.ts";
import { isNew, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

const partition = (scope: TeamScope, userId: string) => `${userPortalLinks.keyPrefix}${scope.teamId}#${userId}`;

/** Links to the pages of users, by the SHA-256 (hex) of their secrets. */
export class UserPortalLinkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /** The link, whether or not it has expired. */
  get(scope: TeamScope, userId: string, sha256: string): Promise<UserPortalLink | undefined> {
    return this.#table.get({ pk: partition(scope, userId), sk: sha256 }, userPortalLink);
  }

  /** @throws ConditionFailed when there is one under this hash. */
  create(scope: TeamScope, userId: string, sha256: string, link: UserPortalLink): Promise<void> {
    const key = { pk: partition(scope, userId), sk: sha256 };
    return this.#table.put({ ...key, ...link }, { ConditionExpression: isNew });
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, userId));
  }
}
