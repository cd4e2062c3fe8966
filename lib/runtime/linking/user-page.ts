import * as z from "zod";
import type { UserRecord } from "../../domain/user.ts";
import { decodeCursor, encodeCursor } from "../../store/cursor.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users.ts";
import { ValidationFailed } from "../errors.ts";

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
  /** Any text that tells this query from others: a cursor belongs to one. */
  readonly query: string;
}

/**
 * Users that match, in the order of their ids, so that one who is made or deleted meanwhile moves no other; and the cursor
 * of those after them. @throws ValidationFailed for a cursor of another query.
 */
export async function userPage(users: UserStore, scope: TeamScope, walk: UserWalk) {
  const query = `${scope.teamId}|${walk.query}|${walk.userIds?.join() ?? ""}`;
  const after = walk.cursor ? decodeCursor(walk.cursor, query, z.tuple([z.string()]))?.[0] : "";
  if (after === undefined) throw ValidationFailed.at(walk.at, "Not a cursor of this query");
  const all = [...new Set(walk.userIds ?? (await users.listIds(scope)))].toSorted().filter((userId) => userId > after);
  const found: UserRecord[] = [];
  for (let first = 0; first < all.length; first += READ_AT_ONCE) {
    for (const user of await users.getMany(scope, all.slice(first, first + READ_AT_ONCE))) {
      if (!walk.matches(user)) continue;
      if (found.length === walk.size) {
        return { found, next_cursor: encodeCursor([found.at(-1)?.user_id ?? after], query) };
      }
      found.push(user);
    }
  }
  return { found, next_cursor: null };
}
