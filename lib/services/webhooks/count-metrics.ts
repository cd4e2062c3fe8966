import { businessMetrics, LATE_MS } from "../../domain/operations/metrics.ts";
import type { Log } from "../../runtime/log.ts";
import { ports } from "../../runtime/ports.ts";

const { eventsRouted, eventsLate } = businessMetrics;

/** A message of the webhooks queue. */
interface RoutedMessage {
  readonly log: Log;
  readonly sentMs: number | undefined;
}

/** Counts the events of an invocation, and those that waited too long in the queue. A redelivery counts again. */
export function countRoutedEvents(messages: readonly RoutedMessage[]): void {
  const nowMs = ports().clock.now();
  const late = messages.filter(({ sentMs = nowMs }) => nowMs - sentMs > LATE_MS).length;
  messages[0]?.log.metrics({ [eventsRouted]: messages.length, [eventsLate]: late }, [{ service: "webhooks" }]);
}
