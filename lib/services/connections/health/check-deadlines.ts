import { deleteItem, getItem, grants, putItem, queryItems } from "../../../contract/access.ts";
import { connectionHealth, deliveredData, users } from "../../../contract/resources.ts";
import { type ConnectionHealth, lastArrivalMs } from "../../../domain/connections/health/connection-health.ts";
import { arrivalRhythmMs } from "../../../domain/connections/health/rhythms.ts";
import type { Staleness } from "../../../domain/connections/health/staleness.ts";
import { isPastBounds } from "../../../domain/connections/pulls/pull-bounds.ts";
import { inParallel } from "../../../runtime/in-parallel.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { type MarkStaleDependencies, markStale, markStaleAccess } from "./mark-stale.ts";

/** Grants of {@link checkDeadlines}. */
export const checkDeadlinesAccess = grants(
  [getItem(users), getItem(deliveredData)],
  [queryItems(connectionHealth, "due"), putItem(connectionHealth), deleteItem(connectionHealth)],
  markStaleAccess,
);

/**
 * Checks the connections whose deadline for new data is over. An arrival does not move the deadline, so that it costs
 * no write; a check finds it and moves the deadline behind it. Otherwise the connection is stale.
 * @returns the number of checked connections, and the time of the next deadline, ISO 8601.
 */
export async function checkDeadlines(
  deps: MarkStaleDependencies,
  scopeOf: (teamId: string) => TeamScope,
  log: Log,
): Promise<{ started: number; nextDueAt: string | undefined }> {
  const { due, nextDueAt } = await deps.connectionHealth.listDue(isoNow());
  await inParallel(due, async (health) => {
    try {
      await checkDeadline(deps, scopeOf(health.team_id), health, log);
    } catch (error) {
      // The next sweep checks it again; the others must not wait for it.
      log.error("the deadline of a connection could not be checked", error, { provider: health.provider });
    }
  });
  return { started: due.length, nextDueAt };
}

async function checkDeadline(deps: MarkStaleDependencies, scope: TeamScope, health: ConnectionHealth, log: Log) {
  const { provider, user_id, connected_on } = health;
  const user = await deps.users.get(scope, user_id);
  const connection = user?.connections[provider];
  const everyMs = arrivalRhythmMs(provider);
  const isWatched = connection?.created_on === connected_on && connection.status === "connected" && !connection.stale;
  if (!user || !isWatched || everyMs === undefined) return void (await deps.connectionHealth.drop(scope, health));
  const delivered = await deps.deliveredData.get(scope, user_id, provider);
  const nowMs = ports().clock.now();
  const lastMs = lastArrivalMs(connected_on, delivered);
  // After the bounds of the user, silence is what the team asked for.
  const deadlineMs = isPastBounds(user, nowMs) ? nowMs + everyMs : lastMs + everyMs;
  if (deadlineMs > nowMs) {
    return void (await deps.connectionHealth.postpone(scope, health, new Date(deadlineMs).toISOString()));
  }
  const stale: Staleness = { since: isoNow(), reason: "silent", resources: [], last_data_at: iso(lastMs) };
  const unlessArrived = deps.deliveredData.requireUnchangedItem(scope, user_id, provider, delivered);
  await markStale(deps, { scope, user, provider, connection, unlessArrived }, stale, log);
}

const iso = (ms: number) => new Date(ms).toISOString();
