import { isDue } from "../../events/webhooks/delivery.ts";
import { ports } from "../../runtime/ports.ts";
import { admitDelivery, readDeliveryState } from "./delivery-gate.ts";
import { acquireLease, needsLease } from "./delivery-lease.ts";
import { type AttemptDeliveryDependencies, type AttemptRequest, DeliveryTurn } from "./delivery-turn.ts";

/**
 * Attempts a delivery if it is due and its endpoint may receive it (docs/events.md, Delivery), and then those that wait
 * for its lease. After a crash at any step the delivery is still due and the lease expires, so the attempt is repeated
 * and never lost.
 */
export async function attemptDelivery(request: AttemptRequest, deps: AttemptDeliveryDependencies): Promise<void> {
  const { scope, message } = request;
  const [state, line] = await readDeliveryState(scope, message, deps.deliveryLeases.readItem(message), deps);
  const target = await admitDelivery(message, state, deps);
  if (!target) return;
  const isDueNow = target.delivery !== undefined && isDue(target.delivery, ports().clock.now());
  if (!needsLease(isDueNow, line)) return;
  const lease = await acquireLease(message, line, deps);
  if (lease) await new DeliveryTurn(request, lease, deps).run(target);
}
