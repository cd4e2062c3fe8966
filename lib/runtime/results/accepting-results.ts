import type { Team } from "../../domain/identity.ts";
import type { Order } from "../../domain/orders/order-move.ts";
import { acceptReview, type Choice } from "../../domain/results/match-review.ts";
import type { ResultStore } from "../../store/results/results.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { commandOrder, type OrderUses } from "../changing-orders.ts";
import { isoNow } from "../ports.ts";
import { afterReport } from "./result-change.ts";
import { changeItems, type DecidingUses, decided, type ReviewReads, requireReview } from "./reviewing.ts";

/** Dependencies of accepting a result. */
interface AcceptingUses extends DecidingUses, OrderUses {
  readonly users: ReviewReads["users"] & OrderUses["users"];
  readonly outbox: DecidingUses["outbox"];
  readonly results: ResultStore;
}

/**
 * Assigns an unmatched result to an order. One transaction changes review, order and result.
 * @throws NotFound; NotPossible for a review that is finished, or an order that is not a candidate.
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
