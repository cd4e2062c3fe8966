import { MINUTE_MS } from "../shared/durations.ts";

/** Throttle of a team's connections at a provider: maximum number of starts per window. */
export interface ConnectionThrottle {
  readonly most: number;
  readonly windowMs: number;
}

const byProvider: Readonly<Record<string, ConnectionThrottle>> = {
  garmin: { most: 2, windowMs: MINUTE_MS },
  strava: { most: 1, windowMs: 15 * MINUTE_MS },
  oura: { most: 150, windowMs: 5 * MINUTE_MS },
};
const DEFAULT_THROTTLE: ConnectionThrottle = { most: 8, windowMs: MINUTE_MS };

/** Throttle of a provider, or the default. */
export const connectionThrottleOf = (provider: string): ConnectionThrottle => byProvider[provider] ?? DEFAULT_THROTTLE;

/** Start of the window that contains an instant, epoch ms. */
export const throttleWindowStart = ({ windowMs }: ConnectionThrottle, nowMs: number): number =>
  nowMs - (nowMs % windowMs);
