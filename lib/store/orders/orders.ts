import * as z from "zod";
import { requisitionNumber } from "../../domain/orders/lab-partner.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { type OrderListing, orderListing } from "../../domain/orders/order-list.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { Key } from "../item.ts";
import { NOT_EXISTS, type Table } from "../table.ts";
import type { TeamScope } from "../team-scope.ts";
import type { WriteItem } from "../transaction.ts";
import {
  erasableOrder,
  orderItem,
  orderKey,
  requisitionKey,
  sampleKey,
  teamOrdersPartition,
  toOrderAttributes,
  transactionOrdersPartition,
  userOrdersPartition,
} from "./order-items.ts";

const named = z.object({ sk: z.string() });
const numberItem = z.object({ order_id: z.string() });

/** Range of creation times, ISO 8601. */
export interface CreationRange {
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
}

/** The orders of a team. */
export class OrderStore {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  get(scope: TeamScope, orderId: string): Promise<OrderRecord | undefined> {
    return this.#table.get(orderKey(scope, orderId), orderItem);
  }

  /** Returns the orders that exist, in the order of the ids. */
  async getMany(scope: TeamScope, orderIds: readonly string[]): Promise<Order[]> {
    const wanted = [...new Set(orderIds)].map((id) => orderKey(scope, id));
    const found = await this.#table.getMany(wanted, orderItem);
    const byId = new Map(found.map(({ order }) => [order.id, order]));
    return orderIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** Returns the list entries of all orders of a team created in a range. */
  list(scope: TeamScope, { from, to }: CreationRange): Promise<OrderListing[]> {
    const input = {
      IndexName: "team_orders",
      KeyConditionExpression: "team_orders = :team AND created_at BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":team": teamOrdersPartition(scope), ":from": from ?? "0", ":to": to ?? "9" },
    };
    return Array.fromAsync(this.#table.queryAll(input, orderListing));
  }

  /** Returns the ids of a user's orders. */
  listIdsByUser(scope: TeamScope, userId: string): Promise<string[]> {
    return this.#sortKeysIn(userOrdersPartition(scope, userId));
  }

  /** Returns the ids of a transaction's orders. */
  listIdsByTransaction(scope: TeamScope, transactionId: string): Promise<string[]> {
    return this.#sortKeysIn(transactionOrdersPartition(scope, transactionId));
  }

  async #sortKeysIn(pk: string): Promise<string[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    const items = await Array.fromAsync(this.#table.queryAll(input, named));
    return items.map(({ sk }) => sk);
  }

  /** Returns the id of the order with a sample number. */
  async findIdBySample(scope: TeamScope, sampleId: string): Promise<string | undefined> {
    return (await this.#table.get(sampleKey(scope, sampleId), numberItem))?.order_id;
  }

  /** Returns the id of the order with a requisition number. */
  async findIdByRequisition(scope: TeamScope, requisition: string): Promise<string | undefined> {
    return (await this.#table.get(requisitionKey(scope, requisition), numberItem))?.order_id;
  }

  /** Builds the writes of a new order, the order itself first. They fail if it exists. */
  createItems(scope: TeamScope, record: OrderRecord): WriteItem[] {
    const { id, user_id, order_transaction } = record.order;
    const pointer = order_transaction ? [{ pk: transactionOrdersPartition(scope, order_transaction.id), sk: id }] : [];
    return [
      this.#putNew({ ...orderKey(scope, id), ...toOrderAttributes(scope, record) }),
      ...[{ pk: userOrdersPartition(scope, user_id), sk: id }, ...pointer].map((item) => this.#putNew(item)),
      this.#putNew({ ...requisitionKey(scope, requisitionNumber(id)), order_id: id }),
    ];
  }

  /** Builds the write that replaces an order. It fails if the order has changed. */
  updateItem(scope: TeamScope, before: OrderRecord, after: Omit<OrderRecord, "revision">): WriteItem {
    const record = { ...after, revision: before.revision + 1 };
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...orderKey(scope, before.order.id), ...toOrderAttributes(scope, record) },
        ConditionExpression: "revision = :revision",
        ExpressionAttributeValues: { ":revision": before.revision },
      },
    };
  }

  /** Builds the write that assigns a sample to an order. It fails if another order has the sample. */
  assignSampleItem(scope: TeamScope, sampleId: string, orderId: string): WriteItem {
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...sampleKey(scope, sampleId), order_id: orderId },
        ConditionExpression: `${NOT_EXISTS} OR order_id = :order`,
        ExpressionAttributeValues: { ":order": orderId },
      },
    };
  }

  /** Builds the writes that move an order from the list of one user to that of another. */
  changeUserItems(scope: TeamScope, orderId: string, fromUserId: string, toUserId: string): WriteItem[] {
    if (fromUserId === toUserId) return [];
    const Key = { pk: userOrdersPartition(scope, fromUserId), sk: orderId };
    return [
      { Delete: { TableName: this.#table.name, Key } },
      this.#putNew({ pk: userOrdersPartition(scope, toUserId), sk: orderId }),
    ];
  }

  #putNew(Item: Key & Record<string, unknown>): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: NOT_EXISTS } };
  }

  /**
   * Deletes the orders of a user. The list of orders goes last, so an interrupted erasure still finds the rest.
   * @param eraseWork deletes the data stored beside an order.
   * @param known orders that an earlier run found.
   * @returns the number of orders.
   */
  async eraseUser(
    scope: TeamScope,
    userId: string,
    eraseWork: (orderId: string) => Promise<unknown>,
    known: readonly string[],
  ): Promise<number> {
    const ids = await this.listIdsByUser(scope, userId);
    for (const id of new Set([...ids, ...known])) {
      const key = orderKey(scope, id);
      const { sample_id = null, transaction_id = null } = (await this.#table.get(key, erasableOrder)) ?? {};
      if (sample_id !== null) await this.#table.delete(sampleKey(scope, sample_id));
      if (transaction_id !== null)
        await this.#table.delete({ pk: transactionOrdersPartition(scope, transaction_id), sk: id });
      await this.#table.delete(requisitionKey(scope, requisitionNumber(id)));
      await eraseWork(id);
      await this.#table.delete(key);
    }
    await this.#table.deletePartition(userOrdersPartition(scope, userId));
    return ids.length;
  }
}
