import * as z from "zod";
import { dateToDay, dayToDate } from "../shared/local-day.ts";
import type { UserRecord } from "../users/user.ts";

const week = z.object({
  date: z.iso.datetime().meta({ description: "Monday at the start of the week, UTC" }),
  value: z.int().meta({ description: "Connections created in the week" }),
  all: z.int().meta({ description: "Connections created up to the end of the week" }),
});

/** Metrics of a team. */
export const wireTeamMetrics = z
  .object({
    team_id: z.guid(),
    number_of_users: z.int(),
    number_of_connected_sources: z.int(),
    number_of_errored_connected_sources: z.int(),
    number_of_connected_sources_by_week: z.array(week),
    number_of_ordered_tests: z.int(),
  })
  .meta({ id: "TeamMetrics" });

/** Computes the metrics of a team from its active users. Ended connections do not count. */
export function teamMetrics(
  teamId: string,
  users: readonly Pick<UserRecord, "connections">[],
  orderedTests: number,
): z.output<typeof wireTeamMetrics> {
  const connections = users.flatMap((user) => Object.values(user.connections));
  return {
    team_id: teamId,
    number_of_users: users.length,
    number_of_connected_sources: connections.length,
    number_of_errored_connected_sources: connections.filter(({ status }) => status === "error").length,
    number_of_connected_sources_by_week: countByWeek(connections.map(({ created_on }) => created_on)),
    number_of_ordered_tests: orderedTests,
  };
}

/** Counts instants by week; empty weeks are left out. */
function countByWeek(instants: readonly string[]): z.output<typeof week>[] {
  const weeks = Object.entries(Object.groupBy(instants, mondayOf)).toSorted(([a], [b]) => (a < b ? -1 : 1));
  let all = 0;
  return weeks.map(([monday, made = []]) => {
    all += made.length;
    return { date: `${monday}T00:00:00.000Z`, value: made.length, all };
  });
}

/** Date (YYYY-MM-DD) of the Monday of an instant's week. */
function mondayOf(instant: string): string {
  const day = dateToDay(new Date(instant).toISOString().slice(0, 10));
  // Day 0 was a Thursday.
  return dayToDate(day - ((((day + 3) % 7) + 7) % 7));
}
