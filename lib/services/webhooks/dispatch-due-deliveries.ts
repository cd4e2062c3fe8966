import { toAttemptMessage } from "../../events/webhooks/delivery.ts";
import { PROBE_INTERVAL_MS } from "../../events/webhooks/endpoint-health.ts";
import type { Queue } from "../../runtime/aws/queue.ts";
import type { DeliveryStore } from "../../store/webhooks/deliveries.ts";
import type { DueEndpointHealth, EndpointHealthStore } from "../../store/webhooks/endpoint-health.ts";
import { enqueueAttempts } from "./attempt-queue.ts";

/** Dependencies of dispatching deliveries. */
type DispatchDueDeliveriesDependencies = {
  readonly deliveries: Pick<DeliveryStore, "listDue" | "listHeld">;
  readonly endpointHealth: Pick<EndpointHealthStore, "listDue" | "claimProbe" | "scheduleResume">;
  readonly webhookAttempts: Pick<Queue, "sendAll">;
};

/** Held deliveries released per second at a recovered endpoint: 10,000 within six minutes. */
const RELEASED_PER_SECOND = 30;
const SWEEP_S = 60;
/** How much earlier in its minute a sweep may begin than the one before. Otherwise it would find nothing due yet. */
const SWEEP_JITTER_MS = 10_000;
/** Delay of a final check after all held deliveries are released. The index may lag behind the table. */
const RECHECK_MS = 3_600_000;

/** Enqueues attempts at pending deliveries that are due. @returns when the next one is due, ISO 8601. */
export async function dispatchDueDeliveries(
  nowMs: number,
  { deliveries, webhookAttempts }: DispatchDueDeliveriesDependencies,
): Promise<string | undefined> {
  const { due, nextDueAt } = await deliveries.listDue(nowMs);
  for (const ofEndpoint of Map.groupBy(due, ({ endpoint_id }) => endpoint_id).values()) {
    await enqueueAttempts(
      webhookAttempts,
      ofEndpoint.map((one) => toAttemptMessage(one)),
    );
  }
  return nextDueAt;
}

/** Probes suspended endpoints and releases held deliveries of recovered ones. @returns the next due time, ISO 8601. */
export async function resumeSuspendedEndpoints(
  nowMs: number,
  deps: DispatchDueDeliveriesDependencies,
): Promise<string | undefined> {
  const { due, nextDueAt } = await deps.endpointHealth.listDue(nowMs);
  const next = nextDueAt === undefined ? [] : [Date.parse(nextDueAt)];
  for (const health of due) {
    next.push(
      health.parked_at === undefined
        ? await releaseHeldDeliveries(health, nowMs, deps)
        : await probeEndpoint(health, nowMs, deps),
    );
  }
  return next.length > 0 ? new Date(Math.min(...next)).toISOString() : undefined;
}

/** Probes an endpoint with its oldest held delivery. @returns when to check next, epoch ms. */
async function probeEndpoint(
  health: DueEndpointHealth,
  nowMs: number,
  { deliveries, endpointHealth, webhookAttempts }: DispatchDueDeliveriesDependencies,
) {
  const [oldest] = await deliveries.listHeld(health, 1);
  if (oldest) await enqueueAttempts(webhookAttempts, [toAttemptMessage(oldest, true)]);
  else await endpointHealth.claimProbe(health, nowMs);
  return nowMs + PROBE_INTERVAL_MS;
}

/** Enqueues one minute's worth of held deliveries, evenly spread. @returns when to check next, epoch ms. */
async function releaseHeldDeliveries(
  health: DueEndpointHealth,
  nowMs: number,
  { deliveries, endpointHealth, webhookAttempts }: DispatchDueDeliveriesDependencies,
) {
  const parked = await deliveries.listHeld(health, RELEASED_PER_SECOND * SWEEP_S);
  const nextMs = nowMs + (parked.length > 0 ? SWEEP_S * 1000 : RECHECK_MS);
  const dueMs = parked.length > 0 ? nextMs - SWEEP_JITTER_MS : nextMs;
  if (!(await endpointHealth.scheduleResume(health, dueMs))) return nowMs + SWEEP_S * 1000;
  const seconds = Map.groupBy(parked.entries(), ([place]) => Math.floor(place / RELEASED_PER_SECOND));
  for (const [second, ofSecond] of seconds) {
    const messages = ofSecond.map(([, one]) => toAttemptMessage(one));
    await enqueueAttempts(webhookAttempts, messages, second);
  }
  return nextMs;
}
