import { conditionCheckItem, putItem, updateItem } from "../../../contract/access.ts";
import { connectionHealth, deliveredData, outbox, users } from "../../../contract/resources.ts";
import type { Staleness } from "../../../domain/connections/health/staleness.ts";
import type { Connection, UserRecord } from "../../../domain/users/user.ts";
import { connectionStaleEvent } from "../../../events/constructors/connection-events.ts";
import type { Dependencies } from "../../../runtime/dependency-table.ts";
import type { Log } from "../../../runtime/log.ts";
import { isConditionMet } from "../../../store/condition-failed.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import type { WriteItem } from "../../../store/transaction.ts";
import { replaceConnectionItem } from "../../../store/users/connection-changes.ts";

export type MarkStaleDependencies = Dependencies<"users" | "deliveredData" | "connectionHealth" | "outbox" | "commit">;

/** Grants of {@link markStale}. */
export const markStaleAccess = [
  updateItem(users),
  conditionCheckItem(deliveredData),
  putItem(connectionHealth),
  putItem(outbox),
] as const;

/** Metric of connections that became stale. lib/stacks/operations-stack.ts defines its alarm. */
const STALE_METRIC = "connection.stale";

/** A connection that was found stale. */
export interface JudgedConnection {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly provider: string;
  readonly connection: Connection;
  /** Makes the transaction depend on the absence of the data that would have kept it from being stale. */
  readonly unlessArrived: WriteItem;
}

/**
 * Marks a connection as stale and records the event, in one transaction. Nothing happens if the connection changed, or
 * if data has arrived since the judgement.
 * @returns whether it is marked.
 */
export async function markStale(
  { users, connectionHealth, outbox, commit }: MarkStaleDependencies,
  { scope, user, provider, connection, unlessArrived }: JudgedConnection,
  stale: Staleness,
  log: Log,
): Promise<boolean> {
  const { user_id, team_id } = user;
  const health = { team_id, user_id, provider, connected_on: connection.created_on, stale_since: stale.since };
  const isMarked = await isConditionMet(
    commit([
      replaceConnectionItem(users, scope, user_id, provider, { before: connection, after: { ...connection, stale } }),
      unlessArrived,
      connectionHealth.putItem(scope, health),
      outbox.appendItem(connectionStaleEvent(user, provider, connection, stale), stale.since),
    ]),
  );
  if (isMarked) {
    const { reason } = stale;
    // Silent phones are a matter of their users. Lost pushes of many users are a fault of a subscription or a provider.
    const total = reason === "pushes_lost" ? [{ service: "pushes" }] : [];
    log.metric(STALE_METRIC, 1, [{ provider, reason }, ...total]);
  }
  return isMarked;
}
