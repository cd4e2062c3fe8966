import { batchGetItem, getItem, grants, queryItems } from "../../contract/access.ts";
import { orders, results, users } from "../../contract/resources.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { withCurrentTransaction } from "../../domain/orders/order-transaction.ts";
import { joinResults, type OrderResult } from "../../domain/results/join-results.ts";
import { toWireResult } from "../../domain/results/order-result.ts";
import { isFinalResult, valueStatesOf } from "../../domain/results/result-record.ts";
import { NotFound } from "../../runtime/errors.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import {
  loadOrderWithTransaction,
  type OrderReadDependencies,
  readOrderAccess,
  requireOrder,
} from "../orders/change-order.ts";
import { listExpectedResults } from "./expected-results.ts";

/** The team that reads. */
interface Reader {
  readonly scope: TeamScope;
  readonly team: Team;
}

interface Reads extends OrderReadDependencies {
  readonly results: Pick<ResultStore, "get">;
}

/** Grants of {@link requireResult}. */
export const requireResultAccess = grants(readOrderAccess, getItem(results));

/** Grants of {@link requireTransactionResult}. */
export const requireTransactionResultAccess = [
  batchGetItem(orders),
  queryItems(orders),
  getItem(users),
  getItem(results),
] as const;

/** Reads the result of an order. @throws NotFound for an unknown order, or without a result that the team may see. */
export async function requireResult(reader: Reader, orderId: string, deps: Reads): Promise<OrderResult> {
  const { record } = await requireOrder(reader.scope, orderId, deps);
  const found = await readResult(reader, await loadOrderWithTransaction(reader.scope, record.order, deps), deps);
  if (typeof found === "string") throw new NotFound(found);
  return found;
}

/**
 * Reads the joined result of an order transaction. Each value comes from the last order that has it.
 * @throws NotFound for an unknown transaction, or without a result that the team may see.
 */
export async function requireTransactionResult(reader: Reader, id: string, deps: Reads): Promise<OrderResult> {
  const members = await deps.orders.getMany(reader.scope, await deps.orders.listIdsByTransaction(reader.scope, id));
  const [first] = members;
  const user = first && (await deps.users.get(reader.scope, first.user_id));
  if (!user) throw new NotFound("There is no order transaction with this id.");
  const inOrder = members.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const found = await Promise.all(
    inOrder.map((order) => readResult(reader, withCurrentTransaction(order, members), deps)),
  );
  const joined = joinResults(found.filter((one) => typeof one !== "string"));
  if (!joined) throw new NotFound("No order of this transaction has a result yet.");
  return joined;
}

/** Reads the result of an order, or the reason why none is visible. */
async function readResult({ scope, team }: Reader, order: Order, deps: Reads): Promise<OrderResult | string> {
  const record = await deps.results.get(scope, order);
  if (!record) return "This order has no result yet.";
  if (!isFinalResult(record) && !team.settings.partial_webhooks_enabled) {
    return "The result of this order is not complete yet, and partial results are not enabled for this team.";
  }
  return {
    order,
    result: toWireResult(order, record, await listExpectedResults(order)),
    states: valueStatesOf(record),
  };
}
