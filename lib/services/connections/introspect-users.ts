import type * as z from "zod";
import type { introspectionQuery } from "../../domain/connections/pulls/wire-introspection.ts";
import type { UserRecord } from "../../domain/users/user.ts";
import { type PageCursor, selectCursor } from "../../runtime/http/page-cursor.ts";
import { inParallel } from "../../runtime/in-parallel.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";
import { readUserPage } from "./user-page.ts";

/** Reads a page of users and inspects each of them. @throws ValidationFailed. */
export async function introspectUsers<T>(
  users: UserStore,
  scope: TeamScope,
  { user_id, user_limit, ...asked }: z.output<typeof introspectionQuery>,
  pages: PageCursor,
  look: (user: UserRecord) => Promise<T>,
): Promise<{ data: T[]; next: string | null; next_cursor: string | null }> {
  const { found, next_cursor } = await readUserPage(users, scope, {
    userIds: user_id === undefined ? undefined : [user_id],
    matches: () => true,
    size: user_limit,
    ...selectCursor(asked),
    pages,
  });
  return { data: await inParallel(found, look), next: next_cursor, next_cursor };
}
