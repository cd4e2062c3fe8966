import { onTestFinished, vi } from "vitest";
import { VirtualClock } from "../../../lib/local/clock.ts";
import type { QueueDefinition } from "../../../lib/local/sqs/queue-definition.ts";
import { QueueEngine } from "../../../lib/local/sqs/queue-engine.ts";

/** Creates a queue with a visibility timeout of 30 s, no delay and a retention of 4 days. */
export function queueDefinition(name: string, changes: Partial<QueueDefinition> = {}): QueueDefinition {
  const arn = `arn:aws:sqs:us-east-1:000000000000:${name}`;
  const url = `http://127.0.0.1:9324/000000000000/${name}`;
  return { name, arn, url, visibilityTimeoutS: 30, delayS: 0, retentionS: 345_600, ...changes };
}

export const deadLetterQueue = queueDefinition("orders-dlq", { retentionS: 1_209_600 });
export const ordersQueue = queueDefinition("orders", {
  redrive: { deadLetterArn: deadLetterQueue.arn, maxReceiveCount: 2 },
});

/** Stops real time for the test, so only {@link advance} moves the virtual clock. */
export function stoppedClock(): VirtualClock {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 15), toFake: ["Date"] });
  const clock = new VirtualClock();
  onTestFinished(() => {
    clock.stop();
    vi.useRealTimers();
  });
  return clock;
}

/** Opens an engine with `orders` and its dead-letter queue; by default in memory. */
export function openEngine(clock: VirtualClock, path = ":memory:"): QueueEngine {
  const engine = new QueueEngine(path, clock);
  engine.createQueue(deadLetterQueue);
  engine.createQueue(ordersQueue);
  return engine;
}

/** Advances the clock by milliseconds, running due timers. */
export function advance(clock: VirtualClock, ms: number): Promise<void> {
  return clock.advanceTo(clock.now() + ms, async () => {});
}
