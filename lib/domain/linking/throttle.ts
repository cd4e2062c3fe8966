/** How many connections of a team may be begun with at a provider within a time. */
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

/** What a provider bears, by default. */
export const throttleOf = (provider: string): Throttle => byProvider[provider] ?? usual;

/** Begin of the window that an instant lies in, epoch ms. */
export const windowAt = ({ windowMs }: Throttle, nowMs: number): number => nowMs - (nowMs % windowMs);
