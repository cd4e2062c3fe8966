/** Throttle of a team's connections at a provider: maximum number of starts per window. */
export interface Throttle {
  readonly most: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;
const byProvider: Readonly<Record<string, Throttle>> = {
  garmin: { most: 2, windowMs: MINUTE_MS },
  strava: { most: 1, windowMs: 15 * MINUTE_MS },
  oura: { most: 150, windowMs: 5 * MINUTE_MS },
};
const usual: Throttle = { most: 8, windowMs: MINUTE_MS };

/** Throttle of a provider, or the default. */
export const throttleOf = (provider: string): Throttle => byProvider[provider] ?? usual;

/** Start of the window that contains an instant, epoch ms. */
export const windowAt = ({ windowMs }: Throttle, nowMs: number): number => nowMs - (nowMs % windowMs);
