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

/** Instants between which orders were made, ISO 8601. */
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

  /** Those of the orders that are there, in the order of the ids. */
  async getMany(scope: TeamScope, orderIds: readonly string[]): Promise<Order[]> {
    const wanted = [...new Set(orderIds)].map((id) => orderKey(scope, id));
    const found = await this.#table.getMany(wanted, orderItem);
    const byId = new Map(found.map(({ order }) => [order.id, order]));
    return orderIds.flatMap((id) => byId.get(id) ?? []);
  }

  /** What lists need of all orders of the team that were made between these instants. */
  list(scope: TeamScope, { from, to }: MadeBetween): Promise<OrderListing[]> {
    const input = {
      IndexName: "team_orders",
      KeyConditionExpression: "team_orders = :team AND created_at BETWEEN :from AND :to",
      ExpressionAttributeValues: { ":team": teamOrders(scope), ":from": from ?? "0", ":to": to ?? "9" },
    };
    return Array.fromAsync(this.#table.all(input, orderListing));
  }

  /** The ids of the orders of a user. */
  idsOf(scope: TeamScope, userId: string): Promise<string[]> {
    return this.#sortKeysIn(ordersOf(scope, userId));
  }

  /** The ids of the orders of a transaction. */
  idsIn(scope: TeamScope, transactionId: string): Promise<string[]> {
    return this.#sortKeysIn(membersOf(scope, transactionId));
  }

  async #sortKeysIn(pk: string): Promise<string[]> {
    const input = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: { ":pk": pk } };
    const items = await Array.fromAsync(this.#table.all(input, named));
    return items.map(({ sk }) => sk);
  }

  /** The id of the order that has a sample. */
  async holderOf(scope: TeamScope, sampleId: string): Promise<string | undefined> {
    return (await this.#table.get(sampleKey(scope, sampleId), numberItem))?.order_id;
  }

  /** The id of the order that has a requisition. */
  async orderedBy(scope: TeamScope, requisition: string): Promise<string | undefined> {
    return (await this.#table.get(requisitionKey(scope, requisition), numberItem))?.order_id;
  }

  /** First writes of an order, the order's own first; refused when it exists. */
  createItems(scope: TeamScope, record: OrderRecord): WriteItem[] {
    const { id, user_id, order_transaction } = record.order;
    const pointer = order_transaction ? [{ pk: membersOf(scope, order_transaction.id), sk: id }] : [];
    return [
      this.#putNew({ ...orderKey(scope, id), ...attributesOf(scope, record) }),
      ...[{ pk: ordersOf(scope, user_id), sk: id }, ...pointer].map((item) => this.#putNew(item)),
      this.#putNew({ ...requisitionKey(scope, requisitionNumber(id)), order_id: id }),
    ];
  }

  /** Replaces an order that nobody has changed since it was read. */
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

  /** Gives a sample to an order; refused where another order has it. */
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

  /** Takes an order from the list of one user to that of another. */
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
   * Deletes the orders of a user, the list of them last, so that an erasure that stopped half-way finds the rest.
   * @param eraseWork deletes what an order has beside itself.
   * @param known orders that an earlier run has found. @returns how many orders there were.
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
