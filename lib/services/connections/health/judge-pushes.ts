import { getItem, grants } from "../../../contract/access.ts";
import { deliveredData } from "../../../contract/resources.ts";
import { pushGraces } from "../../../domain/connections/health/rhythms.ts";
import { comparePushes, type PushComparison } from "../../../domain/connections/health/unpushed-data.ts";
import type { ConnectionPoll } from "../../../domain/connections/pulls/connection-poll.ts";
import type { HistoryRanges } from "../../../domain/connections/pulls/history-ranges.ts";
import type { UserRecord } from "../../../domain/users/user.ts";
import type { Log } from "../../../runtime/log.ts";
import { isoNow, ports } from "../../../runtime/ports.ts";
import type { TeamScope } from "../../../store/team-scope.ts";
import { type MarkStaleDependencies, markStale, markStaleAccess } from "./mark-stale.ts";

/** Grants of {@link judgePushes}. */
export const judgePushesAccess = grants(getItem(deliveredData), markStaleAccess);

/** A run of a poll. */
interface JudgedRun {
  readonly scope: TeamScope;
  readonly user: UserRecord;
  readonly poll: ConnectionPoll;
  /** Ranges of the data that the run found. */
  readonly found: HistoryRanges;
  readonly log: Log;
}

/**
 * Compares what a poll found with what pushes have delivered, and marks the connection as stale if pushes are lost. It
 * reads one item, and only for providers whose pushes have a rhythm.
 */
export async function judgePushes(
  deps: MarkStaleDependencies,
  { scope, user, poll, found, log }: JudgedRun,
): Promise<PushComparison> {
  const { provider, user_id, unpushed = {} } = poll;
  const connection = user.connections[provider];
  const isJudged = connection !== undefined && !connection.demo && !connection.stale && pushGraces(provider).size > 0;
  if (!isJudged) return { unpushed: {}, lost: [], againAtMs: undefined };
  const delivered = await deps.deliveredData.get(scope, user_id, provider);
  const compared = comparePushes(provider, unpushed, found, delivered?.resources ?? {}, ports().clock.now());
  const { lost } = compared;
  if (delivered === undefined || lost.length === 0) return compared;
  const pushed = lost.map((resource) => delivered.resources[resource]?.pushed_newest ?? "").toSorted();
  const stale = {
    since: isoNow(),
    reason: "pushes_lost" as const,
    resources: [...lost],
    last_data_at: pushed[0] ?? null,
  };
  // Only a push counts: the data that this run pulled may be stored at the same time.
  const unlessArrived = deps.deliveredData.requireUnpushedItem(scope, user_id, delivered, lost);
  const isMarked = await markStale(deps, { scope, user, provider, connection, unlessArrived }, stale, log);
  return isMarked ? compared : { ...compared, unpushed };
}
