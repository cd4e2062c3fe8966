import { orderWork } from "../../contract/resources.ts";
import { type OrderTask, type OrderTaskDraft, orderTaskRecord } from "../../domain/lab-work/order-task.ts";
import { MAX_QUEUE_DELAY_MS } from "../../domain/shared/durations.ts";
import { type DueItems, DueShards } from "../due-index.ts";
import type { Key } from "../item.ts";
import type { Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";

/** Delay after which the sweeper starts a task whose queue message was lost. */
const GRACE_MS = 60_000;
/**
 * Time in which the sweeper lists a task that has just come within the reach of a queue message: two of its runs, so that
 * a late run misses none. A task that is listed twice has a second message, which changes nothing.
 */
const REACH_MS = 120_000;
/** Index partitions of order tasks. */
const shards = new DueShards(`${orderWork.keyPrefix}due#`, { count: 8, limit: 500 });

type Kind = OrderTaskDraft["kind"];

const partition = (scope: TeamScope, orderId: string) => `${orderWork.keyPrefix}${scope.teamId}#${orderId}`;

/** Pending order tasks, at most one of each kind for an order. A completed task is deleted. */
export class OrderTaskStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, orderId: string, kind: Kind): Promise<OrderTask | undefined> {
    return this.#table.get(this.#key(scope, orderId, kind), orderTaskRecord);
  }

  #key(scope: TeamScope, orderId: string, kind: Kind): Key {
    return { pk: partition(scope, orderId), sk: kind };
  }

  /** Builds the write that schedules a task. It replaces a pending task of the same kind. */
  putItem(scope: TeamScope, work: OrderTask): WriteItem {
    const Item = { ...this.#key(scope, work.order_id, work.work.kind), ...work, due_shard: shards.of(work.order_id) };
    return { Put: { TableName: this.#table.name, Item } };
  }

  /** Builds the write that replaces a task. It fails if the task has changed. */
  replaceItem(scope: TeamScope, before: OrderTask, after: OrderTask): WriteItem {
    return { Put: { ...this.putItem(scope, after).Put!, ...ifUnchanged(before) } };
  }

  /** Builds the write that completes a task. It fails if the task has changed. */
  completeItem(scope: TeamScope, work: OrderTask): WriteItem {
    const Key = this.#key(scope, work.order_id, work.work.kind);
    return { Delete: { TableName: this.#table.name, Key, ...ifUnchanged(work) } };
  }

  /** Builds the write that deletes a task of a kind, if any. */
  deleteItem(scope: TeamScope, orderId: string, kind: Kind): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: this.#key(scope, orderId, kind) } };
  }

  /**
   * Returns tasks that should have started by now (epoch ms) and those that a queue message has just become able to start
   * in time, with the next due time of the sweeper, ISO 8601.
   */
  async listDue(nowMs: number): Promise<DueItems<OrderTask>> {
    const reachMs = nowMs + MAX_QUEUE_DELAY_MS;
    const late = await shards.find(this.#table, orderTaskRecord, nowMs, GRACE_MS);
    const ahead = await shards.findBetween(this.#table, orderTaskRecord, reachMs - REACH_MS, reachMs);
    const nextReachAt = ahead.nextDueAt && new Date(Date.parse(ahead.nextDueAt) - MAX_QUEUE_DELAY_MS).toISOString();
    const [nextDueAt] = [late.nextDueAt, nextReachAt].filter((at) => at !== undefined).sort();
    return { due: [...late.due, ...ahead.due], nextDueAt };
  }

  eraseOrder(scope: TeamScope, orderId: string): Promise<number> {
    return this.#table.deletePartition(partition(scope, orderId));
  }
}

const ifUnchanged = ({ work_id, due_at }: OrderTask) => ({
  ConditionExpression: "work_id = :work AND due_at = :due",
  ExpressionAttributeValues: { ":work": work_id, ":due": due_at },
});
