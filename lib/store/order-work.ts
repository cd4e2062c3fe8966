import { orderWork } from "../contract/resources.ts";
import { type OrderWork, type OrderWorkDraft, orderWorkRecord } from "../domain/orders/order-work.ts";
import type { Key, Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

/** Work is spread over this many partitions of a sparse index. */
const SHARDS = 8;
/** How long after its instant work that a queue message should have started is looked for by the sweeper. */
const GRACE_MS = 60_000;
/** Pieces of work that one sweep starts at most in each partition; it has less than a minute. */
const SWEPT_AT_ONCE = 500;

type Kind = OrderWorkDraft["kind"];

const partition = (scope: TeamScope, orderId: string) => `${orderWork.keyPrefix}${scope.teamId}#${orderId}`;
const shard = (number: number) => `${orderWork.keyPrefix}due#${number}`;
const shardOf = (orderId: string) => shard(orderId.charCodeAt(orderId.length - 1) % SHARDS);

/** What is still to be done with orders, of each kind one piece at most; what is done is deleted. */
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

  /** Plans work, in the place of what was planned of the same kind. */
  putItem(scope: TeamScope, work: OrderWork): WriteItem {
    const Item = { ...this.#key(scope, work.order_id, work.work.kind), ...work, due_shard: shardOf(work.order_id) };
    return { Put: { TableName: this.#table.name, Item } };
  }

  /** Replaces work that is still as it was read. */
  replaceItem(scope: TeamScope, before: OrderWork, after: OrderWork): WriteItem {
    return { Put: { ...this.putItem(scope, after).Put!, ...stillIs(before) } };
  }

  /** Ends work that is still as it was read. */
  doneItem(scope: TeamScope, work: OrderWork): WriteItem {
    const Key = this.#key(scope, work.order_id, work.work.kind);
    return { Delete: { TableName: this.#table.name, Key, ...stillIs(work) } };
  }

  /** Gives up work of a kind, if there is any. */
  dropItem(scope: TeamScope, orderId: string, kind: Kind): WriteItem {
    return { Delete: { TableName: this.#table.name, Key: this.#key(scope, orderId, kind) } };
  }

  /** Work that should have been started by now (epoch ms), and when the sweeper has to look again, ISO 8601. */
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
