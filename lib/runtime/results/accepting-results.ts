import type { Team } from "../../domain/identity.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { acceptReview, type Choice } from "../../domain/results/match-review.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { commandOrder, type OrderUses } from "../changing-orders.ts";
import { isoNow } from "../ports.ts";
import { afterReport } from "./result-change.ts";
import { changeItems, type DecidingUses, decided, type ReviewReads, requireReview } from "./reviewing.ts";

/** What accepting takes. */
interface AcceptingUses extends DecidingUses, OrderUses {
  readonly users: ReviewReads["users"] & OrderUses["users"];
  readonly outbox: DecidingUses["outbox"];
  readonly results: ResultStore;
}

/**
 * Takes an unmatched result as that of an order: review, order and result change in one transaction.
 * @throws NotFound; NotPossible for a review that does not allow it, or a choice that is none.
 */
export async function acceptResult(
  placer: { readonly scope: TeamScope; readonly team: Team },
  id: string,
  choice: Choice,
  uses: AcceptingUses,
): Promise<Order> {
  const { scope } = placer;
  const { review } = await requireReview(scope, id, uses);
  const { resolved_order_id: order_id } = decided(() => acceptReview(review, choice, isoNow()));
  return commandOrder(placer, order_id ?? "", uses, async (order, at) => {
    const { record } = await requireReview(scope, id, uses);
    const accepted = decided(() => acceptReview(record.review, { ...choice, order_id }, at));
    const change = await afterReport(scope, order, record.report, at, uses);
    return { order: change.order, items: [...change.items, ...changeItems(scope, record, accepted, at, uses)] };
  });
}
