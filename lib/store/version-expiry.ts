/** Versions stay a day longer than their retention, so that none expires during a read. */
const MARGIN_MS = 86_400_000;

/**
 * Returns the expiry of a version that was current until an instant (epoch seconds).
 * @param keptMs retention of versions.
 */
export const versionExpiry = (untilMs: number, keptMs: number): number =>
  Math.ceil((untilMs + keptMs + MARGIN_MS) / 1_000);
