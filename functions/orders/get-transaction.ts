import { batchGetItem, getItem, queryItems } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { orders, users } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  toWireTransaction,
  transactionParams,
  wireTransaction,
  withCurrentTransaction,
} from "../../lib/domain/orders/order-transaction.ts";
import { NotFound } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";

export const contract = endpoint({
  operationId: "getTransaction",
  method: "GET",
  path: "/v3/order_transaction/{transaction_id}",
  tag: "orders",
  summary: "Retrieve an order transaction",
  description: [
    "Returns an initial order with its redraws and recreations, oldest first, each with its low-level status.",
    "An order names its transaction in `order_transaction`.",
    "The status is `completed` if any order of the transaction has a result.",
    "It is `cancelled` once the last order can have no result, and `active` otherwise.",
    "A transaction of a deleted user returns `not_found`.",
  ],
  auth: "team",
  params: transactionParams,
  query: noFields,
  response: wireTransaction,
  errors: [NotFound],
  access: [queryItems(orders), batchGetItem(orders), getItem(users)],
});

export const handler = implement(contract, async ({ scope, params }, { orders, users }) => {
  const members = await orders.getMany(scope, await orders.listIdsByTransaction(scope, params.transaction_id));
  const [first] = members;
  const user = first && (await users.get(scope, first.user_id));
  if (!first || !user) throw new NotFound("There is no order transaction with this id.");
  return toWireTransaction(withCurrentTransaction(first, members));
});
