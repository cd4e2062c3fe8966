import { orderWork } from "../contract/resources.ts";
import { type OrderWork, type OrderWorkDraft, orderWorkRecord } from "../domain/orders/order-work.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** Number of index partitions for order tasks. */
const SHARDS = 8;
/** Delay after which the sweeper starts a task whose queue message was lost. */
const GRACE_MS = 60_000;
/** Maximum tasks of one partition in one sweep. A sweep has less than a minute. */
const SWEPT_AT_ONCE = 500;

type Kind = OrderWorkDraft["kind"];

const partition = (scope: TeamScope, orderId: string) => `${orderWork.keyPrefix}${scope.teamId}#${orderId}`;
const shard = (number: number) => `${orderWork.keyPrefix}due#${number}`;
const shardOf = (orderId: string) => shard(orderId.charCodeAt(orderId.length - 1) % SHARDS);

/** Pending order tasks, at most one of each kind for an order. A completed task is deleted. */
export class OrderWorkStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, orderId: string, kind: Kind): Promise<OrderWork | undefined> {
    return this.#table.get(this.#key(scope, orderId, kind), orderWorkRecord);
  }

  #key(scope: TeamScope, orderId: string, kind: Kind): Key {
    return { pk: partition(scope, orderId), sk: kind };
  }

  /** Builds the write that schedules a task. It replaces a pending task of the same kind. */
  putItem(scope: TeamScope, work: OrderWork): WriteItem {
    const Item = { ...this.#key(scope, work.order_id, work.work.kind), ...work, due_shard: shardOf(work.order_id) };
    return { Put: { TableName: this.#table.name, Item } };
  }

  /** Builds the write that replaces a task. It fails if the task has changed. */
  replaceItem(scope: TeamScope, before: OrderWork, after: OrderWork): WriteItem {
    return { Put: { ...this.putItem(scope, after).Put!, ...stillIs(before) } };
  }

  /** Builds the write that completes a task. It fails if the task has changed. */
  doneItem(scope: TeamScope, work: OrderWork): WriteItem {
    const Key = this.#key(scope, work.order_id, work.work.kind);
    return { Delete: { TableName: this.#table.name, Key, ...stillIs(work) } };
  }

  /** Builds the write that deletes a task of a kind, if any. */
  dropItem(scope: TeamScope, orderId: string, kind: Kind): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: this.#key(scope, orderId, kind) } };
  }

  /** Returns tasks that should have started by now (epoch ms), and the next due time of the sweeper, ISO 8601. */
  async due(nowMs: number): Promise<{ due: OrderWork[]; nextDueAt: string | undefined }> {
    const until = new Date(nowMs - GRACE_MS).toISOString();
    const found: OrderWork[] = [];
    let next: string | undefined;
    for (let number = 0; number < SHARDS; number++) {
      const most = found.length + SWEPT_AT_ONCE;
      for await (const work of this.#table.all(inShard(number), orderWorkRecord)) {
        if (work.due_at > until || found.length === most) {
          if (next === undefined || work.due_at < next) next = work.due_at;
          break;
        }
        found.push(work);
      }
    }
    return { due: found, nextDueAt: next && new Date(Date.parse(next) + GRACE_MS).toISOString() };
  }

  eraseOrder(scope: TeamScope, orderId: string): Promise<number> {
    return this.#table.erasePartition(partition(scope, orderId));
  }
}

const stillIs = ({ work_id, due_at }: OrderWork) => ({
  ConditionExpression: "work_id = :work AND due_at = :due",
  ExpressionAttributeValues: { ":work": work_id, ":due": due_at },
});

const inShard = (number: number) => ({
  IndexName: "due",
  KeyConditionExpression: "due_shard = :shard",
  ExpressionAttributeValues: { ":shard": shard(number) },
  Limit: SWEPT_AT_ONCE,
});
