import * as z from "zod";
import { toWireStaleness } from "../../../domain/connections/health/wire-staleness.ts";
import { knownProvider } from "../../../domain/connections/providers/known-provider.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { PageCursor } from "../../../runtime/http/page-cursor.ts";
import type { StalePosition } from "../../../store/connections/connection-health.ts";
import type { TeamScope } from "../../../store/team-scope.ts";

interface PageQuery {
  readonly limit: number;
  readonly next_cursor?: string | undefined;
}

const position = z.tuple([z.iso.datetime(), z.guid(), knownProvider]);

/**
 * Lists a page of a team's stale connections. The index names them; the records of their users state whether they still
 * are stale. @throws ValidationFailed for a cursor of another list.
 */
export async function listStaleConnections(
  { users, connectionHealth }: Dependencies<"users" | "connectionHealth">,
  scope: TeamScope,
  { limit, next_cursor }: PageQuery,
  pages: PageCursor,
) {
  const [stale_since, user_id = "", provider = ""] = pages.read(next_cursor, position) ?? [];
  const after = stale_since === undefined ? undefined : { stale_since, user_id, provider };
  const listed = await connectionHealth.listStale(scope, limit, after);
  const found = await users.getMany(scope, [...new Set(listed.map((one) => one.user_id))]);
  const byId = new Map(found.map((user) => [user.user_id, user]));
  const last = listed.length === limit ? listed.at(-1) : undefined;
  return {
    connections: listed.flatMap((one) => toStaleConnection(byId.get(one.user_id), one) ?? []),
    next_cursor: last ? pages.write([last.stale_since ?? "", last.user_id, last.provider]) : null,
  };
}

function toStaleConnection(user: UserRecord | undefined, { provider, stale_since }: StalePosition) {
  const connection = user?.connections[provider];
  const { stale, status } = connection ?? {};
  if (!user || !connection || status !== "connected" || stale?.since !== stale_since || !stale) return undefined;
  const { user_id, client_user_id } = user;
  return { ...toWireStaleness(stale), user_id, client_user_id, provider, connected_on: connection.created_on };
}
