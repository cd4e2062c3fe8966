import { getItem, putItem } from "../../contract/access.ts";
import { results } from "../../contract/resources.ts";
import { applyResultUpdate } from "../../domain/orders/lifecycle/apply-updates.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import type { LabReport } from "../../domain/results/lab-report.ts";
import { toResultUpdate, toWireResult } from "../../domain/results/order-result.ts";
import { mergeReport } from "../../domain/results/result-record.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { WriteItem } from "../../store/transaction.ts";
import { listExpectedResults } from "./expected-results.ts";

/** An order after a report, the sample of its result, and the write of the result. */
export interface ResultChange {
  readonly order: Order;
  readonly resultSample: string | null;
  readonly items: readonly WriteItem[];
}

/** Grants of {@link applyReport}. */
export const applyReportAccess = [getItem(results), putItem(results)] as const;

/**
 * Applies a report to its order. All results of orders pass through here.
 * @param at ISO 8601. @throws OrderTransitionRefused if the order cannot get a result now; TooLarge.
 */
export async function applyReport(
  scope: TeamScope,
  { order }: Pick<OrderRecord, "order">,
  report: LabReport,
  at: string,
  { results }: { readonly results: Pick<ResultStore, "get" | "putItem"> },
): Promise<ResultChange> {
  const record = mergeReport(await results.get(scope, order), order.id, report);
  const result = toWireResult(order, record, await listExpectedResults(order));
  const moved = applyResultUpdate(order, toResultUpdate(result, report.status), at);
  return { order: moved, resultSample: record.sample_id, items: [results.putItem(scope, moved, record)] };
}
