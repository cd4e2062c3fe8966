import type { Team } from "../../domain/identity.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { withTransaction } from "../../domain/orders/order-transaction.ts";
import { joinResults, type ReadResult } from "../../domain/results/joined-results.ts";
import { toWireResult } from "../../domain/results/order-result.ts";
import { isFinal, statesOf } from "../../domain/results/result-record.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type OrderReads, requireOrder, shown } from "../changing-orders.ts";
import { NotFound } from "../errors.ts";
import { expectedResults } from "./ordered-results.ts";

/** The team that reads. */
interface Reader {
  readonly scope: TeamScope;
  readonly team: Team;
}

interface Reads extends OrderReads {
  readonly results: Pick<ResultStore, "get">;
}

/** Reads the result of an order. @throws NotFound for an unknown order, or without a result that the team may see. */
export async function requireResult(reader: Reader, orderId: string, uses: Reads): Promise<ReadResult> {
  const { record } = await requireOrder(reader.scope, orderId, uses);
  const found = await resultOf(reader, await shown(reader.scope, record.order, uses), uses);
  if (typeof found === "string") throw new NotFound(found);
  return found;
}

/**
 * Reads the joined result of an order transaction. Each value comes from the last order that has it.
 * @throws NotFound for an unknown transaction, or without a result that the team may see.
 */
export async function requireTransactionResult(reader: Reader, id: string, uses: Reads): Promise<ReadResult> {
  const members = await uses.orders.getMany(reader.scope, await uses.orders.idsIn(reader.scope, id));
  const [first] = members;
  const user = first && (await uses.users.get(reader.scope, first.user_id));
  if (!user) throw new NotFound("There is no order transaction with this id.");
  const inOrder = members.toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1));
  const found = await Promise.all(inOrder.map((order) => resultOf(reader, withTransaction(order, members), uses)));
  const joined = joinResults(found.filter((one) => typeof one !== "string"));
  if (!joined) throw new NotFound("No order of this transaction has a result yet.");
  return joined;
}

/** Reads the result of an order, or the reason why none is visible. */
async function resultOf({ scope, team }: Reader, order: Order, uses: Reads): Promise<ReadResult | string> {
  const record = await uses.results.get(scope, order);
  if (!record) return "This order has no result yet.";
  if (!isFinal(record) && !team.settings.partial_webhooks_enabled) {
    return "The result of this order is not complete yet, and partial results are not enabled for this team.";
  }
  return { order, result: toWireResult(order, record, await expectedResults(order)), states: statesOf(record) };
}
