import { attemptMessageFor } from "../events/delivery.ts";
import { PROBE_INTERVAL_MS } from "../events/endpoint-health.ts";
import type { DeliveryStore } from "../store/deliveries.ts";
import type { DueHealth, EndpointHealthStore } from "../store/endpoint-health.ts";
import { lookAtAll } from "./attempt-queue.ts";
import type { Queue } from "./queue.ts";

/** Dependencies of dispatching deliveries. */
interface WakingUses {
  readonly deliveries: Pick<DeliveryStore, "due" | "parkedAt">;
  readonly endpointHealth: Pick<EndpointHealthStore, "due" | "claimProbe" | "planLook">;
  readonly webhookAttempts: Pick<Queue, "sendAll">;
}

/** Held deliveries released per second at a recovered endpoint: 10,000 within six minutes. */
const RELEASED_PER_SECOND = 30;
const SWEEP_S = 60;
/** Delay of a final check after all held deliveries are released. The index may lag behind the table. */
const LATER_LOOK_MS = 3_600_000;

/** Enqueues attempts at pending deliveries that are due. @returns when the next one is due, ISO 8601. */
export async function wakePending(
  nowMs: number,
  { deliveries, webhookAttempts }: WakingUses,
): Promise<string | undefined> {
  const { due, nextDueAt } = await deliveries.due(nowMs);
  for (const ofEndpoint of Map.groupBy(due, ({ endpoint_id }) => endpoint_id).values()) {
    await lookAtAll(
      webhookAttempts,
      ofEndpoint.map((one) => attemptMessageFor(one)),
    );
  }
  return nextDueAt;
}

/** Probes suspended endpoints and releases held deliveries of recovered ones. @returns the next due time, ISO 8601. */
export async function wakeParked(nowMs: number, uses: WakingUses): Promise<string | undefined> {
  const { due, nextDueAt } = await uses.endpointHealth.due(nowMs);
  const next = nextDueAt === undefined ? [] : [Date.parse(nextDueAt)];
  for (const health of due) {
    next.push(health.parked_at === undefined ? await release(health, nowMs, uses) : await probe(health, nowMs, uses));
  }
  return next.length > 0 ? new Date(Math.min(...next)).toISOString() : undefined;
}

/** Probes an endpoint with its oldest held delivery. @returns when to check next, epoch ms. */
async function probe(health: DueHealth, nowMs: number, { deliveries, endpointHealth, webhookAttempts }: WakingUses) {
  const [oldest] = await deliveries.parkedAt(health, 1);
  if (oldest) await lookAtAll(webhookAttempts, [attemptMessageFor(oldest, true)]);
  else await endpointHealth.claimProbe(health, nowMs);
  return nowMs + PROBE_INTERVAL_MS;
}

/** Enqueues one minute's worth of held deliveries, evenly spread. @returns when to check next, epoch ms. */
async function release(health: DueHealth, nowMs: number, { deliveries, endpointHealth, webhookAttempts }: WakingUses) {
  const parked = await deliveries.parkedAt(health, RELEASED_PER_SECOND * SWEEP_S);
  const nextMs = nowMs + (parked.length > 0 ? SWEEP_S * 1000 : LATER_LOOK_MS);
  if (!(await endpointHealth.planLook(health, nextMs))) return nowMs + SWEEP_S * 1000;
  const seconds = Map.groupBy(parked.entries(), ([place]) => Math.floor(place / RELEASED_PER_SECOND));
  for (const [second, ofSecond] of seconds) {
    const messages = ofSecond.map(([, one]) => attemptMessageFor(one));
    await lookAtAll(webhookAttempts, messages, second);
  }
  return nextMs;
}
