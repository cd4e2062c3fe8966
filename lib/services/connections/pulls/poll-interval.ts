import type { PulledProvider } from "../../../connectors/connector.ts";

/** Poll interval for a provider without pushes. */
const POLL_INTERVAL_MS = 3_600_000;
/** Poll interval for a provider with pushes after its last push, since pushes get lost and subscriptions end. */
const SILENCE_INTERVAL_MS = 24 * 3_600_000;

/**
 * Interval between polls of a connection; undefined without scheduled polls. Demo connections are polled only on a
 * refresh, so that a team without real users causes no work.
 */
export function pollIntervalMs({ push, isPushOnly = false }: PulledProvider, demo = false): number | undefined {
  if (isPushOnly || demo) return undefined;
  return push ? SILENCE_INTERVAL_MS : POLL_INTERVAL_MS;
}

/** The first poll of a new connection, ISO 8601. */
export function firstPollAt(connector: PulledProvider, connectedOn: string, demo = false): string | undefined {
  const everyMs = pollIntervalMs(connector, demo);
  return everyMs === undefined ? undefined : new Date(Date.parse(connectedOn) + everyMs).toISOString();
}
