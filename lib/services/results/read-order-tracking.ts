import { getItem, queryItems } from "../../contract/access.ts";
import { appointments, orders, results, users } from "../../contract/resources.ts";
import type { Team } from "../../domain/management/records.ts";
import { isFinalResult } from "../../domain/results/result-record.ts";
import { trackOrder } from "../../domain/results/track-order.ts";
import type { OrderTracking } from "../../domain/results/wire-order-tracking.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { isoNow } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import { requireOrder } from "../orders/change-order.ts";
import { listTrackedMarkers } from "./expected-results.ts";

/** Grants of {@link readOrderTracking}. */
export const readOrderTrackingAccess = [
  getItem(orders),
  getItem(users),
  getItem(results),
  queryItems(appointments),
] as const;

/**
 * Reads the progress of an order towards its results. Partial results count only if the team may see them.
 * @throws NotFound for an unknown order.
 */
export async function readOrderTracking(
  { scope, team }: { readonly scope: TeamScope; readonly team: Team },
  orderId: string,
  deps: Dependencies<"orders" | "users" | "results" | "appointments">,
): Promise<OrderTracking> {
  const { order } = (await requireOrder(scope, orderId, deps)).record;
  const [found, booked, markers] = await Promise.all([
    deps.results.get(scope, order),
    deps.appointments.listByOrder(scope, orderId),
    listTrackedMarkers(order),
  ]);
  const record = found && (isFinalResult(found) || team.settings.partial_webhooks_enabled) ? found : undefined;
  return trackOrder(order, { markers, record, appointments: booked }, isoNow());
}
