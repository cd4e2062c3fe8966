import * as z from "zod";
import type { UserRecord } from "../../domain/users/user.ts";
import type { PageCursor } from "../../runtime/http/page-cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Users per read. */
const USERS_PER_READ = 100;

/** Query of a page of a team's users, ordered by id. */
export interface UserPageQuery {
  /** Users to consider; undefined for all users. */
  readonly userIds: readonly string[] | undefined;
  readonly matches: (user: UserRecord) => boolean;
  readonly size: number;
  readonly cursor: string | null | undefined;
  /** Location of the cursor in the request. */
  readonly at: readonly string[];
  readonly pages: PageCursor;
}

/**
 * Reads a page of matching users, ordered by id, so that created and deleted users do not shift a page.
 * @throws ValidationFailed for a cursor of another query.
 */
export async function readUserPage(users: UserStore, scope: TeamScope, walk: UserPageQuery) {
  const [after] = walk.pages.read(walk.cursor, z.tuple([z.guid()]), walk.at) ?? [""];
  const all = [...new Set(walk.userIds ?? (await users.listIds(scope)))].toSorted().filter((userId) => userId > after);
  const found: UserRecord[] = [];
  for (let first = 0; first < all.length; first += USERS_PER_READ) {
    for (const user of await users.getMany(scope, all.slice(first, first + USERS_PER_READ))) {
      if (!walk.matches(user)) continue;
      if (found.length === walk.size) {
        return { found, next_cursor: walk.pages.write([found.at(-1)?.user_id ?? after]) };
      }
      found.push(user);
    }
  }
  return { found, next_cursor: null };
}
