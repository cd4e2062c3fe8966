import { type AttemptMessage, isDue } from "../../events/webhooks/delivery.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";
import type { TeamScope } from "../../store/team-scope.ts";
import type { Lease } from "../../store/webhooks/delivery-leases.ts";
import { type CurrentBodyDependencies, resolveCurrentBody } from "./current-body.ts";
import { admitDelivery, admitWithinRateLimit, type DeliveryTarget } from "./delivery-gate.ts";
import {
  acquireLease,
  type DeliveryLeaseDependencies,
  needsLease,
  quarantineLease,
  releaseLease,
} from "./delivery-lease.ts";
import { type DeliverySlotDependencies, withSlot } from "./delivery-slot.ts";
import { type AttemptEnd, type MakeAttemptDependencies, makeAttempt } from "./make-attempt.ts";

/** Dependencies of an attempt at a stored delivery. */
type AttemptDeliveryDependencies = DeliverySlotDependencies &
  DeliveryLeaseDependencies &
  CurrentBodyDependencies &
  MakeAttemptDependencies &
  Dependencies<"newestEvents">;

/** The delivery that a message names, with scope and log. */
interface AttemptRequest {
  readonly scope: TeamScope;
  readonly message: AttemptMessage;
  readonly log: Log;
}

/**
 * Attempts a delivery if it is due and its endpoint may receive it (docs/events.md, Delivery). After a crash at any
 * step the delivery is still due and the lease expires, so the attempt is repeated and never lost.
 */
export async function attemptDelivery(look: AttemptRequest, deps: AttemptDeliveryDependencies): Promise<void> {
  const { scope, message } = look;
  const destination = await admitDelivery(scope, message, deps);
  if (!destination) return;
  const { delivery, leaseQueue } = destination;
  const isDueNow = delivery !== undefined && isDue(delivery, ports().clock.now());
  if (!needsLease(isDueNow, leaseQueue)) return;
  const lease = await acquireLease(message, leaseQueue, deps);
  if (!lease) return;
  const end = await attemptUnderLease(lease, destination, look, deps);
  if (end?.isAmbiguous) await quarantineLease(message, lease, end.endedMs, deps);
  else await releaseLease(message, lease, deps);
}

/** @returns undefined without an attempt. */
async function attemptUnderLease(
  lease: Lease,
  { endpoint, health, delivery: known }: DeliveryTarget,
  { scope, message, log }: AttemptRequest,
  deps: AttemptDeliveryDependencies,
): Promise<AttemptEnd | undefined> {
  // A deleted delivery stays deleted; the lease was acquired for those that wait behind it.
  if (!known) return undefined;
  // The previous lease holder may have made the attempt already.
  const [delivery, text, newest] = await deps.read([
    deps.deliveries.readItem(message),
    deps.outbox.readBodyItem(message),
    deps.newestEvents.readItem(known.event),
  ]);
  if (!delivery || !isDue(delivery, ports().clock.now())) return undefined;
  if (!(await admitWithinRateLimit(message, endpoint, deps))) return undefined;
  return withSlot({ message, health, log }, deps, async () => {
    const isProbe = message.probe;
    if (isProbe && !(await deps.endpointHealth.claimProbe(message, ports().clock.now()))) return undefined;
    const readNewest = async () => newest;
    const body = await resolveCurrentBody(scope, { reference: delivery.event, text, readNewest }, deps);
    if (body !== undefined) return makeAttempt({ scope, lease, endpoint, health, delivery, body, isProbe, log }, deps);
    await deps.deliveries.cancel(message, "nothing_to_send");
    return undefined;
  });
}
