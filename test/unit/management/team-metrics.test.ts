import { expect, test } from "vitest";
import { teamMetrics } from "../../../lib/domain/management/team-metrics.ts";

const connected = (created_on: string, status: "connected" | "error" = "connected") => ({
  connections: { [`${created_on} ${status}`]: { created_on, status } },
});

test("connections are counted by UTC weeks from Monday, with the running total", () => {
  const users = [
    connected("2026-05-03T23:59:59.000Z"),
    connected("2026-05-04T00:00:00.000Z", "error"),
    connected("2026-05-10T12:00:00.000+00:00"),
    connected("2026-05-20T12:00:00.000Z"),
    { connections: {} },
  ];
  expect(teamMetrics("t", users, 3)).toEqual({
    team_id: "t",
    number_of_users: 5,
    number_of_connected_sources: 4,
    number_of_errored_connected_sources: 1,
    number_of_connected_sources_by_week: [
      { date: "2026-04-27T00:00:00.000Z", value: 1, all: 1 },
      { date: "2026-05-04T00:00:00.000Z", value: 2, all: 3 },
      { date: "2026-05-18T00:00:00.000Z", value: 1, all: 4 },
    ],
    number_of_ordered_tests: 3,
  });
});
