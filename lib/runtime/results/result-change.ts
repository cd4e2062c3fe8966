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

/** An order after a report, and the write of its result. */
export interface ResultChange {
  readonly order: Order;
  readonly items: readonly WriteItem[];
}

/**
 * Applies a report to its order. All results of orders pass through here.
 * @param at ISO 8601. @throws OrderMoveRefused if the order cannot get a result now; TooLarge.
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
