import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import type { LocalCloud } from "./local-cloud.ts";

/** Number of due items, by engine. Retries and waits that are due later do not count. */
export interface Pending {
  readonly functions: number;
  readonly queue_batches: number;
  readonly queue_messages: number;
  readonly bus: number;
  readonly executions: number;
}

/** {@link settle} gives up when nothing progresses for this time. */
const STALL_TIMEOUT_MS = 30_000;
/** Maximum duration of {@link settle}: functions that trigger one another never become idle. */
const MAX_DURATION_MS = 10 * 60_000;
const POLL_INTERVAL_MS = 5;
const MAX_WAIT_MS = 1_000;
/** While no function runs, engines hand over to one another within a few turns of the event loop. */
const MAX_EVENT_LOOP_TURNS = 50;

/**
 * Part of the name of the queue whose delayed messages only look again whether earlier batches are stored. Delayed
 * messages of other queues are retries, or work that is planned for later.
 */
const RECHECK_QUEUE = "QueuehistoryEndsQueue";

const NOTHING_PENDING: Pending = { functions: 0, queue_batches: 0, queue_messages: 0, bus: 0, executions: 0 };

/** Counts what is due at this instant. */
function countPending(cloud: LocalCloud): Pending {
  const consumed = cloud.queues.queues().filter(({ redrive }) => redrive !== undefined);
  return {
    functions: cloud.host.inFlight,
    queue_batches: cloud.mappings.activeQueueMappings,
    queue_messages: consumed.reduce((total, { url }) => total + cloud.queues.depth(url).visible, 0),
    bus: cloud.bus.pending(),
    executions: cloud.machines.pending(),
  };
}

/** Checks the queues last, because their check reads the database. */
function isIdle({ host, mappings, bus, machines, queues }: LocalCloud): boolean {
  if (host.inFlight + mappings.activeQueueMappings + bus.pending() + machines.pending() > 0) return false;
  return queues.queues().every(({ url, redrive }) => redrive === undefined || !queues.hasVisible(url));
}

/**
 * Returns a function that makes delayed rechecks visible, to call when nothing else is due: what they look for is stored
 * by then, or waits for a retry. After rechecks in vain it waits for other functions to run, so that settling ends.
 */
function createRecheckRelease({ queues, host }: LocalCloud): () => boolean {
  const urls = queues.queues().flatMap(({ name, url }) => (name.includes(RECHECK_QUEUE) ? [url] : []));
  let endedByRechecks = -1;
  return () => {
    if (host.ended <= endedByRechecks) return false;
    const released = urls.reduce((total, url) => total + queues.endDelays(url), 0);
    endedByRechecks = host.ended + released;
    return released > 0;
  };
}

/**
 * Waits until nothing is due: no function runs, no message is visible, no stream record is unread, no recheck is
 * delayed. The cloud counts as idle after two idle checks with a read of the streams in between, because an item in
 * transit between two engines belongs to neither for a moment.
 * @param longestMs maximum wait in real milliseconds.
 */
export async function settle(
  cloud: LocalCloud,
  longestMs = MAX_DURATION_MS,
): Promise<{ idle: boolean; pending: Pending }> {
  const begin = performance.now();
  let moved = { at: begin, work: countProgress(cloud) };
  const releaseRechecks = createRecheckRelease(cloud);
  for (let turn = 1; ; turn++) {
    if (isIdle(cloud) && (await cloud.mappings.drainStreams()) === 0) {
      for (const _ of [1, 2]) await nextTurn();
      if (isIdle(cloud) && !releaseRechecks()) return { idle: true, pending: NOTHING_PENDING };
    }
    const [at, work] = [performance.now(), countProgress(cloud)];
    if (work !== moved.work) moved = { at, work };
    if (at - moved.at > STALL_TIMEOUT_MS || at - begin > longestMs)
      return { idle: false, pending: countPending(cloud) };
    await waitForProgress(cloud, turn);
  }
}

/** A counter that grows with every invocation and every request. */
const countProgress = ({ host, meter }: LocalCloud): number => host.ended + meter.requests;

async function waitForProgress({ host }: LocalCloud, turn: number): Promise<void> {
  if (host.inFlight === 0) return turn < MAX_EVENT_LOOP_TURNS ? nextTurn() : sleep(POLL_INTERVAL_MS);
  const ending = new AbortController();
  const look = sleep(MAX_WAIT_MS, undefined, { signal: ending.signal }).catch(() => undefined);
  await Promise.race([host.idle(), look]);
  ending.abort();
}
