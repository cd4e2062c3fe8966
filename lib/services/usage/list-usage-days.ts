import type { DayCounts } from "../../domain/usage/usage-day.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { TeamScope } from "../../store/team-scope.ts";

/**
 * Returns the counts of a team for the days of a range, and of its stored data for all earlier days. The feed holds
 * counts of the current day, and moves them to the usage table once it is over. If it does so during the read, the read
 * starts again.
 */
export async function listUsageDays(
  { usage, eventFeed }: Dependencies<"usage" | "eventFeed">,
  scope: TeamScope,
  range: { first: string; last: string },
): Promise<DayCounts[]> {
  if (range.first > range.last) return [];
  for (;;) {
    const before = await eventFeed.getOpenCounts(scope.teamId);
    const days = await usage.listDays(scope, range);
    const after = await eventFeed.getOpenCounts(scope.teamId);
    if (before?.date !== after?.date) continue;
    return after === undefined || after.date > range.last ? days : [...days, after];
  }
}
