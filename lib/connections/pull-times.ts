import type { Connector } from "../connectors/connector.ts";

/** A provider that tells of nothing by itself is asked so often; */
const POLL_EVERY_MS = 3_600_000;
/** one that does once it was silent for so long: pushes get lost, and subscriptions end. */
const AFTER_SILENCE_MS = 24 * 3_600_000;

/** How often a provider is asked for new data; undefined for one that is never to be asked. */
export function pollEveryMs({ push, isPushOnly = false }: Connector): number | undefined {
  if (isPushOnly) return undefined;
  return push ? AFTER_SILENCE_MS : POLL_EVERY_MS;
}

/** When a new connection is polled for the first time, ISO 8601. */
export function firstPollAt(connector: Connector, connectedOn: string): string | undefined {
  const everyMs = pollEveryMs(connector);
  return everyMs === undefined ? undefined : new Date(Date.parse(connectedOn) + everyMs).toISOString();
}
