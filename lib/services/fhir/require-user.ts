import type { UserRecord } from "../../domain/users/user.ts";
import { UserNotFound } from "../../runtime/errors.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { UserStore } from "../../store/users/users.ts";

/** Reads an active user. The access log records the read. @throws UserNotFound for an unknown id. */
export async function requireUser(
  scope: TeamScope,
  userId: string,
  users: Pick<UserStore, "get">,
): Promise<UserRecord> {
  const user = await users.get(scope, userId);
  if (!user) throw new UserNotFound();
  return user;
}
