import { expect, test } from "vitest";
import type { QueryTask } from "../../../lib/domain/queries/continuous/query-task.ts";
import { ports } from "../../../lib/runtime/ports.ts";
import type { ComputeResultsDependencies } from "../../../lib/services/queries/continuous/compute-results.ts";
import { runQueryTask } from "../../../lib/services/queries/continuous/run-query-task.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const of = { team_id: "team", user_id: "ada", query_id: "query" };

test("a task of a team without remaining budget keeps its days and is rescheduled", async () => {
  const now = ports().clock.now();
  const ago = new Date(now - 1_000).toISOString();
  const due = { ...of, query_slug: "slug", changed_days: new Set([3]), running_days: new Set([1]), due_at: ago };
  let task = { ...due, scheduled_at: ago } as unknown as QueryTask;
  const recorded: string[] = [];
  const deps = {
    users: { get: async () => ({ user_id: "ada" }) },
    continuousQueries: { get: async () => ({ status: "active" }) },
    queryTasks: {
      update: async (_: unknown, change: (task: QueryTask) => QueryTask | undefined) => {
        task = change(task) ?? task;
        return task;
      },
      recordRun: async (_: unknown, { status }: { status: string }) => void recorded.push(status),
    },
    budget: { reserveRun: async () => now + 60_000, record: async () => {} },
  } as unknown as ComputeResultsDependencies;
  await runQueryTask(TeamScope.grant("team"), of, deps);
  expect(task.run_id).toBeUndefined();
  expect(task.due_at).toBe(new Date(now + 60_000).toISOString());
  expect([...(task.running_days ?? [])].toSorted()).toEqual([1, 3]);
  expect(recorded).toEqual([]);
});
