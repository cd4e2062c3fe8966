import type { PulledProvider } from "../connectors/connector.ts";

/** A provider that tells of nothing by itself is asked so often; */
const POLL_EVERY_MS = 3_600_000;
/** one that does once it was silent for so long: pushes get lost, and subscriptions end. */
const AFTER_SILENCE_MS = 24 * 3_600_000;

/**
 * How often a provider is asked for new data; undefined for one that is never to be asked by itself. Nobody waits for
 * what is made up: a demo connection is asked when somebody refreshes it, so that a team without real users rests.
 */
export function pollEveryMs({ push, isPushOnly = false }: PulledProvider, demo = false): number | undefined {
  if (isPushOnly || demo) return undefined;
  return push ? AFTER_SILENCE_MS : POLL_EVERY_MS;
}

/** When a new connection is polled for the first time, ISO 8601. */
export function firstPollAt(connector: PulledProvider, connectedOn: string, demo = false): string | undefined {
  const everyMs = pollEveryMs(connector, demo);
  return everyMs === undefined ? undefined : new Date(Date.parse(connectedOn) + everyMs).toISOString();
}
