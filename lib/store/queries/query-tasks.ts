import * as z from "zod";
import { queryTasks } from "../../contract/resources.ts";
import {
  type QueryTask,
  type QueryTaskMessage,
  queryTask,
  type WireQueryTask,
  wireQueryTask,
} from "../../domain/queries/continuous/query-task.ts";
import { isConditionMet } from "../condition-failed.ts";
import { type DueItems, DueShards } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { Page, Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";

/** Delay after which the sweeper starts a task whose message was lost. */
const GRACE_MS = 60_000;
/** Index partitions of due tasks. */
const shards = new DueShards(`${queryTasks.keyPrefix}due#`, { count: 8, limit: 200 });
/** Retention of the run history. */
const KEPT_S = 90 * 24 * 60 * 60;
const MAX_UPDATE_ATTEMPTS = 20;

const partition = (teamId: string, userId: string) => `${queryTasks.keyPrefix}${teamId}#${userId}`;
const taskKey = ({ team_id, user_id, query_id }: QueryTaskMessage): Key => ({
  pk: partition(team_id, user_id),
  sk: `task#${query_id}`,
});
const historyPrefix = (queryId: string) => `run#${queryId}#`;

const run = z.object({ sk: z.string(), run: wireQueryTask });
const due = queryTask.extend({ due_at: z.string() });

/** Tasks of continuous queries, one for each query and user, and their run history. */
export class QueryTaskStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(of: QueryTaskMessage): Promise<QueryTask | undefined> {
    return this.#table.get(taskKey(of), queryTask);
  }

  /** Adds changed days to a task. The first change sets the due time (ISO 8601). @returns the updated task. */
  async recordChangedDays(
    of: QueryTaskMessage & { query_slug: string },
    days: readonly number[],
    now: string,
    dueAt: string,
  ): Promise<QueryTask> {
    const item = await this.#table.update(taskKey(of), {
      UpdateExpression: [
        "SET team_id = :team, user_id = :user, query_id = :query, query_slug = :slug, due_shard = :shard",
        "scheduled_at = if_not_exists(scheduled_at, :now), due_at = if_not_exists(due_at, :due) ADD revision :one, changed_days :days",
      ].join(", "),
      ExpressionAttributeValues: {
        ":team": of.team_id,
        ":user": of.user_id,
        ":query": of.query_id,
        ":slug": of.query_slug,
        ":shard": shards.of(of.user_id),
        ":now": now,
        ":due": dueAt,
        ":one": 1,
        ":days": new Set(days),
      },
    });
    return queryTask.parse(item);
  }

  /** Replaces the task that was read. @returns false if it has changed. */
  replace(before: QueryTask, after: QueryTask): Promise<boolean> {
    const sets = { changed_days: after.changed_days, running_days: after.running_days };
    const kept = Object.fromEntries(Object.entries(sets).filter(([, days]) => days && days.size > 0));
    const item = {
      ...after,
      ...{ changed_days: undefined, running_days: undefined },
      ...kept,
      revision: before.revision + 1,
    };
    const shown = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
    const isDue = after.due_at === undefined ? {} : { due_shard: shards.of(after.user_id) };
    const isSame = {
      ConditionExpression: "revision = :revision",
      ExpressionAttributeValues: { ":revision": before.revision },
    };
    return isConditionMet(this.#table.put({ ...taskKey(after), ...shown, ...isDue }, isSame));
  }

  /** Updates a task, again after a conflict. @param change undefined leaves the task as it is. */
  async update(
    of: QueryTaskMessage,
    change: (task: QueryTask) => QueryTask | undefined,
  ): Promise<QueryTask | undefined> {
    for (let attempt = 1; attempt <= MAX_UPDATE_ATTEMPTS; attempt++) {
      const before = await this.get(of);
      const after = before && change(before);
      if (!before || !after) return undefined;
      if (await this.replace(before, after)) return after;
    }
    throw new Error("The task changed during every attempt to update it.");
  }

  /**
   * Records the state of a run. It replaces the earlier record, also after a run crashed and another took over.
   * @param nowMs epoch ms.
   */
  recordRun(of: QueryTaskMessage, task: WireQueryTask, nowMs: number): Promise<void> {
    const sk = `${historyPrefix(of.query_id)}${task.scheduled_at}`;
    const expires_at = Math.floor(nowMs / 1000) + KEPT_S;
    return this.#table.put({ pk: partition(of.team_id, of.user_id), sk, run: task, expires_at });
  }

  /** Returns the runs of a query for a user, newest first. @param before sort key at which the previous page ended. */
  async listRuns(
    scope: TeamScope,
    userId: string,
    queryId: string,
    before: string | undefined,
    limit: number,
  ): Promise<Page<{ sk: string; run: WireQueryTask }>> {
    const prefix = historyPrefix(queryId);
    return this.#table.query(
      {
        KeyConditionExpression: "pk = :pk AND sk BETWEEN :first AND :last",
        ExpressionAttributeValues: {
          ":pk": partition(scope.teamId, userId),
          ":first": prefix,
          ":last": `${prefix}~`,
        },
        ...(before === undefined ? {} : { ExclusiveStartKey: { pk: partition(scope.teamId, userId), sk: before } }),
        ScanIndexForward: false,
        Limit: limit,
      },
      run,
    );
  }

  /** Returns tasks that should have started by now (epoch ms), and the next due time of the sweeper, ISO 8601. */
  listDue(nowMs: number): Promise<DueItems<QueryTask>> {
    return shards.find(this.#table, due, nowMs, GRACE_MS);
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope.teamId, userId));
  }
}
