import { expect, test } from "vitest";
import type { QueryTask } from "../../../lib/domain/continuous-queries/query-task.ts";
import type { ComputingUses } from "../../../lib/runtime/continuous-queries/computing.ts";
import { runTask } from "../../../lib/runtime/continuous-queries/running.ts";
import { ports } from "../../../lib/runtime/ports.ts";
import { TeamScope } from "../../../lib/store/team-scope.ts";

const of = { team_id: "team", user_id: "ada", query_id: "query" };

test("a task of a team without remaining budget keeps its days and is rescheduled", async () => {
  const now = ports().clock.now();
  const ago = new Date(now - 1_000).toISOString();
  const due = { ...of, query_slug: "slug", changed_days: new Set([3]), running_days: new Set([1]), due_at: ago };
  let task = { ...due, scheduled_at: ago } as unknown as QueryTask;
  const noted: string[] = [];
  const uses = {
    users: { get: async () => ({ user_id: "ada" }) },
    continuousQueries: { find: async () => ({ status: "active" }) },
    queryTasks: {
      change: async (_: unknown, change: (task: QueryTask) => QueryTask | undefined) => {
        task = change(task) ?? task;
        return task;
      },
      noteRun: async (_: unknown, { status }: { status: string }) => void noted.push(status),
    },
    budget: { spentUntil: async () => now + 60_000, note: async () => {} },
  } as unknown as ComputingUses;
  await runTask(TeamScope.grant("team"), of, uses);
  expect(task.run_id).toBeUndefined();
  expect(task.due_at).toBe(new Date(now + 60_000).toISOString());
  expect([...(task.running_days ?? [])].toSorted()).toEqual([1, 3]);
  expect(noted).toEqual([]);
});
