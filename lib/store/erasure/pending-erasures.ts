import * as z from "zod";
import type { UserRecord } from "../../domain/users/user.ts";
import type { TeamScope } from "../team-scope.ts";
import { type PageQuery, readUserPage } from "../users/user-pages.ts";
import type { UserStore } from "../users/users.ts";
import { pendingList } from "./pending-list.ts";

/** Returns a page of the users of a team in their grace period. The next end comes first. */
export async function listPendingErasures(
  store: Pick<UserStore, "table">,
  scope: TeamScope,
  page: PageQuery,
): Promise<{ readonly pending: UserRecord[]; readonly last: [string, string] | undefined }> {
  const list = pendingList(scope.teamId);
  const { users, last } = await readUserPage(store, scope, page, {
    ...{ list, index: "team_users", sortKey: "team_users_sort" },
  });
  // The index may lag behind an undo.
  return { pending: users.filter(({ lifecycle }) => lifecycle === "pending_erasure"), last };
}

/** Whether a team has users in their grace period. */
export async function hasPendingErasures({ table }: Pick<UserStore, "table">, { teamId }: TeamScope): Promise<boolean> {
  const input = {
    IndexName: "team_users",
    KeyConditionExpression: "team_users = :list",
    ExpressionAttributeValues: { ":list": pendingList(teamId) },
    Limit: 1,
  };
  return (await table.query(input, z.object({ pk: z.string() }))).items.length > 0;
}
