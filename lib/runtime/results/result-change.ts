import { followResults } from "../../domain/orders/following.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { newsOf, toWireResult } from "../../domain/results/order-result.ts";
import { withReport } from "../../domain/results/result-record.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { expectedResults } from "./ordered-results.ts";

/** What a report makes of an order, and the write of the result that goes with it. */
export interface ResultChange {
  readonly order: Order;
  readonly items: readonly WriteItem[];
}

/**
 * An order with a report that belongs to it: the one way by which orders get results.
 * @param at ISO 8601. @throws OrderMoveRefused where no result can come for the order now; TooLarge.
 */
export async function afterReport(
  scope: TeamScope,
  { order }: Pick<OrderRecord, "order">,
  report: LabReport,
  at: string,
  { results }: { readonly results: Pick<ResultStore, "get" | "putItem"> },
): Promise<ResultChange> {
  const record = withReport(await results.get(scope, order), order.id, report);
  const result = toWireResult(order, record, await expectedResults(order));
  const moved = followResults(order, newsOf(result, report.status), at);
  return { order: moved, items: [results.putItem(scope, moved, record)] };
}
