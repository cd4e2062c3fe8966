import * as z from "zod";
import type { UserRecord } from "../../domain/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { PageCursor } from "../page-cursor.ts";

/** Users per read. */
const READ_AT_ONCE = 100;

/** Query of a page of a team's users, ordered by id. */
export interface UserWalk {
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
export async function userPage(users: UserStore, scope: TeamScope, walk: UserWalk) {
  const [after] = walk.pages.read(walk.cursor, z.tuple([z.guid()]), walk.at) ?? [""];
  const all = [...new Set(walk.userIds ?? (await users.listIds(scope)))].toSorted().filter((userId) => userId > after);
  const found: UserRecord[] = [];
  for (let first = 0; first < all.length; first += READ_AT_ONCE) {
    for (const user of await users.getMany(scope, all.slice(first, first + READ_AT_ONCE))) {
      if (!walk.matches(user)) continue;
      if (found.length === walk.size) {
        return { found, next_cursor: walk.pages.write([found.at(-1)?.user_id ?? after]) };
      }
      found.push(user);
    }
  }
  return { found, next_cursor: null };
}
