import * as z from "zod";
import { requisitionNumber } from "../domain/orders/lab-partner.ts";
import { type OrderListing, orderListing } from "../domain/orders/order-list.ts";
import type { Order } from "../domain/orders/order-move.ts";
import type { OrderRecord } from "../domain/orders/order-record.ts";
import {
  attributesOf,
  erasableOrder,
  membersOf,
  orderItem,
  orderKey,
  ordersOf,
  requisitionKey,
  sampleKey,
  teamOrders,
} from "./order-items.ts";
import { isNew, type Key, type Table } from "./table.ts";
import type { TeamScope } from "./team-scope.ts";
import type { WriteItem } from "./transaction.ts";

const named = z.object({ sk: z.string() });
const numberItem = z.object({ order_id: z.string() });

/** Range of creation times, ISO 8601. */
export interface MadeBetween {
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
  list(scope: TeamScope, { from, to }: MadeBetween): Promise<OrderListing[]> {
    const input = {
      IndexName: "team_orders",
      KeyConditionExpression: "team_orders = :team AND created_at BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":team": teamOrders(scope), ":from": from ?? "0", ":to": to ?? "9" },
    };
    return Array.fromAsync(this.#table.all(input, orderListing));
  }

  /** Returns the ids of a user's orders. */
  idsOf(scope: TeamScope, userId: string): Promise<string[]> {
    return this.#sortKeysIn(ordersOf(scope, userId));
  }

  /** Returns the ids of a transaction's orders. */
  idsIn(scope: TeamScope, transactionId: string): Promise<string[]> {
    return this.#sortKeysIn(membersOf(scope, transactionId));
  }

  async #sortKeysIn(pk: string): Promise<string[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    const items = await Array.fromAsync(this.#table.all(input, named));
    return items.map(({ sk }) => sk);
  }

  /** Returns the id of the order with a sample number. */
  async holderOf(scope: TeamScope, sampleId: string): Promise<string | undefined> {
    return (await this.#table.get(sampleKey(scope, sampleId), numberItem))?.order_id;
  }

  /** Returns the id of the order with a requisition number. */
  async orderedBy(scope: TeamScope, requisition: string): Promise<string | undefined> {
    return (await this.#table.get(requisitionKey(scope, requisition), numberItem))?.order_id;
  }

  /** Builds the writes of a new order, the order itself first. They fail if it exists. */
  createItems(scope: TeamScope, record: OrderRecord): WriteItem[] {
    const { id, user_id, order_transaction } = record.order;
    const pointer = order_transaction ? [{ pk: membersOf(scope, order_transaction.id), sk: id }] : [];
    return [
      this.#putNew({ ...orderKey(scope, id), ...attributesOf(scope, record) }),
      ...[{ pk: ordersOf(scope, user_id), sk: id }, ...pointer].map((item) => this.#putNew(item)),
      this.#putNew({ ...requisitionKey(scope, requisitionNumber(id)), order_id: id }),
    ];
  }

  /** Builds the write that replaces an order. It fails if the order has changed. */
  changeItem(scope: TeamScope, before: OrderRecord, after: Omit<OrderRecord, "revision">): WriteItem {
    const record = { ...after, revision: before.revision + 1 };
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...orderKey(scope, before.order.id), ...attributesOf(scope, record) },
        ConditionExpression: "revision = :revision",
        ExpressionAttributeValues: { ":revision": before.revision },
      },
    };
  }

  /** Builds the write that assigns a sample to an order. It fails if another order has the sample. */
  takeSampleItem(scope: TeamScope, sampleId: string, orderId: string): WriteItem {
    return {
      Put: {
        TableName: this.#table.name,
        Item: { ...sampleKey(scope, sampleId), order_id: orderId },
        ConditionExpression: `${isNew} OR order_id = :order`,
        ExpressionAttributeValues: { ":order": orderId },
      },
    };
  }

  /** Builds the writes that move an order from the list of one user to that of another. */
  moveItems(scope: TeamScope, orderId: string, fromUserId: string, toUserId: string): WriteItem[] {
    if (fromUserId === toUserId) return [];
    const Key = { pk: ordersOf(scope, fromUserId), sk: orderId };
    return [
      { Delete: { TableName: this.#table.name, Key } },
      this.#putNew({ pk: ordersOf(scope, toUserId), sk: orderId }),
    ];
  }

  #putNew(Item: Key & Record<string, unknown>): WriteItem {
    return { Put: { TableName: this.#table.name, Item, ConditionExpression: isNew } };
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
    const ids = await this.idsOf(scope, userId);
    for (const id of new Set([...ids, ...known])) {
      const key = orderKey(scope, id);
      const { sample_id = null, transaction_id = null } = (await this.#table.get(key, erasableOrder)) ?? {};
      if (sample_id !== null) await this.#table.remove(sampleKey(scope, sample_id));
      if (transaction_id !== null) await this.#table.remove({ pk: membersOf(scope, transaction_id), sk: id });
      await this.#table.remove(requisitionKey(scope, requisitionNumber(id)));
      await eraseWork(id);
      await this.#table.remove(key);
    }
    await this.#table.erasePartition(ordersOf(scope, userId));
    return ids.length;
  }
}
