import { getItem, grants, putItem } from "../../contract/access.ts";
import { matchReviews, orders, outbox } from "../../contract/resources.ts";
import type { OrderTask } from "../../domain/lab-work/order-task.ts";
import type { Team } from "../../domain/management/records.ts";
import type { Order } from "../../domain/orders/lifecycle/order-transitions.ts";
import { acceptReview, type OrderSelection } from "../../domain/results/match-review.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { AppointmentWritesDependencies } from "../appointments/appointment-writes.ts";
import { syncAppointment, syncAppointmentAccess } from "../appointments/sync-appointment.ts";
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
  AppointmentWritesDependencies &
  Dependencies<"results"> & {
    readonly users: ReviewReadDependencies["users"] & ChangeOrderDependencies["users"];
    readonly outbox: DecideReviewDependencies["outbox"];
  };

/** Grants of {@link acceptResult}. */
export const acceptResultAccess = grants(
  [getItem(matchReviews), putItem(matchReviews), getItem(orders), putItem(orders)],
  applyReportAccess,
  changeOrderAccess,
  syncAppointmentAccess,
  putItem(outbox),
);

/** An order with an accepted result, and the tasks to schedule. */
interface AcceptedResult {
  readonly order: Order;
  readonly tasks: readonly OrderTask[];
}

/**
 * Assigns an unmatched result to an order. One transaction changes review, order, result and appointment.
 * @throws NotFound; NotPossible for a review that is finished, or an order that is not a candidate.
 */
export async function acceptResult(
  requester: { readonly scope: TeamScope; readonly team: Team },
  id: string,
  choice: OrderSelection,
  deps: AcceptResultDependencies,
): Promise<AcceptedResult> {
  const { scope } = requester;
  const { review } = await requireReview(scope, id, deps);
  const { resolved_order_id: order_id } = withReviewErrors(() => acceptReview(review, choice, isoNow()));
  let tasks: readonly OrderTask[] = [];
  const order = await executeOrderCommand(requester, order_id ?? "", deps, async (before, at, user) => {
    const { record } = await requireReview(scope, id, deps);
    const accepted = withReviewErrors(() => acceptReview(record.review, { ...choice, order_id }, at));
    const change = await applyReport(scope, before, record.report, at, deps);
    const items = [...change.items, ...reviewChangeItems(scope, record, accepted, at, deps)];
    const agreed = await syncAppointment({ scope, record: before, user, at }, { ...change, items }, deps);
    tasks = agreed.tasks;
    return agreed.change;
  });
  return { order, tasks };
}
