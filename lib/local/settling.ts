import { setTimeout as sleep } from "node:timers/promises";
import type { LocalCloud } from "./local-cloud.ts";

/** What is due now, by part; retries and waits planned for later do not count. */
export interface Pending {
  readonly functions: number;
  readonly queue_batches: number;
  readonly queue_messages: number;
  readonly bus: number;
  readonly executions: number;
}

const LIMIT_MS = 30_000;
const LOOK_MS = 5;

/** How much the cloud has to do at this instant. */
export function pendingNow(cloud: LocalCloud): Pending {
  const consumed = cloud.queues.queues().filter(({ redrive }) => redrive !== undefined);
  return {
    functions: cloud.host.inFlight,
    queue_batches: cloud.mappings.busy,
    queue_messages: consumed.reduce((total, { url }) => total + cloud.queues.depth(url).visible, 0),
    bus: cloud.bus.pending(),
    executions: cloud.machines.pending(),
  };
}

/** As {@link pendingNow} would tell, but looks at the queues last: these have to be counted. */
function isIdle(cloud: LocalCloud): boolean {
  if (cloud.host.inFlight + cloud.mappings.busy + cloud.bus.pending() + cloud.machines.pending() > 0) return false;
  return pendingNow(cloud).queue_messages === 0;
}

/**
 * Waits until nothing is due: no function runs, no message is visible, no stream record unread. Idle has to be seen
 * twice, with the streams read in between, because what one part hands to another is with neither for a moment.
 */
export async function settle(cloud: LocalCloud): Promise<{ idle: boolean; pending: Pending }> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    if (isIdle(cloud) && (await cloud.mappings.drainStreams()) === 0) {
      await sleep(1);
      if (isIdle(cloud)) return { idle: true, pending: pendingNow(cloud) };
    }
    await sleep(LOOK_MS);
  }
  return { idle: false, pending: pendingNow(cloud) };
}
