import * as z from "zod";
import type { UserRecord } from "../../domain/user.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import type { PageCursor } from "../page-cursor.ts";

/** Users that are read at once. */
const READ_AT_ONCE = 100;

/** Which users of a team are looked through, by id, and where an earlier answer ended. */
export interface UserWalk {
  /** Those of all users that are wanted; all of them where it is undefined. */
  readonly userIds: readonly string[] | undefined;
  readonly matches: (user: UserRecord) => boolean;
  readonly size: number;
  readonly cursor: string | null | undefined;
  /** Where the cursor stands in the request. */
  readonly at: readonly string[];
  readonly pages: PageCursor;
}

/**
 * Users that match, in the order of their ids, so that one who is made or deleted meanwhile moves no other; and the cursor
 * of those after them. @throws ValidationFailed for a cursor of another query.
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
