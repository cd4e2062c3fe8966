import { getItem, grants, putItem } from "../../contract/access.ts";
import { matchReviews, orders, outbox } from "../../contract/resources.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { acceptReview, type OrderSelection } from "../../domain/results/match-review.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { type ChangeOrderDependencies, changeOrderAccess, executeOrderCommand } from "../orders/change-order.ts";
import { applyReport, applyReportAccess } from "./apply-report.ts";
import {
  type DecideReviewDependencies,
  type ReviewReadDependencies,
  requireReview,
  reviewChangeItems,
  withReviewErrors,
} from "./match-reviews.ts";

/** Dependencies of accepting a result. */
type AcceptResultDependencies = DecideReviewDependencies &
  ChangeOrderDependencies &
  Dependencies<"results"> & {
    readonly users: ReviewReadDependencies["users"] & ChangeOrderDependencies["users"];
    readonly outbox: DecideReviewDependencies["outbox"];
  };

/** Grants of {@link acceptResult}. */
export const acceptResultAccess = grants(
  [getItem(matchReviews), putItem(matchReviews), getItem(orders), putItem(orders)],
  applyReportAccess,
  changeOrderAccess,
  putItem(outbox),
);

/**
 * Assigns an unmatched result to an order. One transaction changes review, order and result.
 * @throws NotFound; NotPossible for a review that is finished, or an order that is not a candidate.
 */
export async function acceptResult(
  requester: { readonly scope: TeamScope; readonly team: Team },
  id: string,
  choice: OrderSelection,
  deps: AcceptResultDependencies,
): Promise<Order> {
  const { scope } = requester;
  const { review } = await requireReview(scope, id, deps);
  const { resolved_order_id: order_id } = withReviewErrors(() => acceptReview(review, choice, isoNow()));
  return executeOrderCommand(requester, order_id ?? "", deps, async (order, at) => {
    const { record } = await requireReview(scope, id, deps);
    const accepted = withReviewErrors(() => acceptReview(record.review, { ...choice, order_id }, at));
    const change = await applyReport(scope, order, record.report, at, deps);
    return { order: change.order, items: [...change.items, ...reviewChangeItems(scope, record, accepted, at, deps)] };
  });
}
