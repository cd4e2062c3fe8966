import * as z from "zod";
import { queryTasks } from "../contract/resources.ts";
import {
  type QueryTask,
  type QueryTaskMessage,
  queryTask,
  type WireTask,
  wireTask,
} from "../domain/continuous-queries/query-task.ts";
import { ConditionFailed } from "./condition-failed.ts";
import type { Key, Page, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";

/** Tasks that are due are spread over this many partitions of a sparse index. */
const SHARDS = 8;
/** How long after its instant a task that a message should have started is looked for by the sweeper. */
const GRACE_MS = 60_000;
/** Tasks that one sweep finds at most in each partition; it has less than a minute. */
const SWEPT_AT_ONCE = 200;
/** How long the history of computations is kept. */
const KEPT_S = 90 * 24 * 60 * 60;
const ATTEMPTS = 20;

const shard = (number: number) => `${queryTasks.keyPrefix}due#${number}`;
const shardOf = (userId: string) => shard(userId.charCodeAt(userId.length - 1) % SHARDS);
const partition = (teamId: string, userId: string) => `${queryTasks.keyPrefix}${teamId}#${userId}`;
const taskKey = ({ team_id, user_id, query_id }: QueryTaskMessage): Key => ({
  pk: partition(team_id, user_id),
  sk: `task#${query_id}`,
});
const historyPrefix = (queryId: string) => `run#${queryId}#`;

const run = z.object({ sk: z.string(), run: wireTask });
const due = queryTask.extend({ due_at: z.string() });

/** The work on continuous queries, of each query and user one task, and the history of computations. */
export class QueryTaskStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(of: QueryTaskMessage): Promise<QueryTask | undefined> {
    return this.#table.get(taskKey(of), queryTask);
  }

  /** Notes days that changed; the first of them says when they are due (ISO 8601). @returns the task since then. */
  async note(
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
        ":shard": shardOf(of.user_id),
        ":now": now,
        ":due": dueAt,
        ":one": 1,
        ":days": new Set(days),
      },
    });
    return queryTask.parse(item);
  }

  /** Puts a task in the place of the one that was read. @returns false where that has changed meanwhile. */
  async replace(before: QueryTask, after: QueryTask): Promise<boolean> {
    const sets = { changed_days: after.changed_days, running_days: after.running_days };
    const kept = Object.fromEntries(Object.entries(sets).filter(([, days]) => days && days.size > 0));
    const item = {
      ...after,
      ...{ changed_days: undefined, running_days: undefined },
      ...kept,
      revision: before.revision + 1,
    };
    const shown = Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
    const isDue = after.due_at === undefined ? {} : { due_shard: shardOf(after.user_id) };
    try {
      await this.#table.put(
        { ...taskKey(after), ...shown, ...isDue },
        { ConditionExpression: "revision = :revision", ExpressionAttributeValues: { ":revision": before.revision } },
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }

  /** Changes a task, again where another change came between. @param change undefined leaves it as it is. */
  async change(
    of: QueryTaskMessage,
    change: (task: QueryTask) => QueryTask | undefined,
  ): Promise<QueryTask | undefined> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const before = await this.get(of);
      const after = before && change(before);
      if (!before || !after) return undefined;
      if (await this.replace(before, after)) return after;
    }
    throw new Error("a task changed each time it was read");
  }

  /**
   * Notes how a computation stands, in the place of what was noted of it: also where a run died, and another one is at it.
   * @param nowMs epoch ms.
   */
  noteRun(of: QueryTaskMessage, task: WireTask, nowMs: number): Promise<void> {
    const sk = `${historyPrefix(of.query_id)}${task.scheduled_at}`;
    const expires_at = Math.floor(nowMs / 1000) + KEPT_S;
    return this.#table.put({ pk: partition(of.team_id, of.user_id), sk, run: task, expires_at });
  }

  /** Computations of a query for a user, the newest first. @param before the sort key after which the page begins. */
  async runs(
    scope: TeamScope,
    userId: string,
    queryId: string,
    before: string | undefined,
    limit: number,
  ): Promise<Page<{ sk: string; run: WireTask }>> {
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

  /** Tasks that should have been started by now (epoch ms), and when the sweeper has to look again, ISO 8601. */
  async due(nowMs: number): Promise<{ due: QueryTask[]; nextDueAt: string | undefined }> {
    const until = new Date(nowMs - GRACE_MS).toISOString();
    const found: QueryTask[] = [];
    let next: string | undefined;
    for (let number = 0; number < SHARDS; number++) {
      const most = found.length + SWEPT_AT_ONCE;
      const input = {
        IndexName: "due",
        KeyConditionExpression: "due_shard = :shard",
        ExpressionAttributeValues: { ":shard": shard(number) },
        Limit: SWEPT_AT_ONCE,
      };
      for await (const task of this.#table.all(input, due)) {
        if (task.due_at > until || found.length === most) {
          if (next === undefined || task.due_at < next) next = task.due_at;
          break;
        }
        found.push(task);
      }
    }
    return { due: found, nextDueAt: next && new Date(Date.parse(next) + GRACE_MS).toISOString() };
  }

  eraseUser(scope: TeamScope, userId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope.teamId, userId));
  }
}
