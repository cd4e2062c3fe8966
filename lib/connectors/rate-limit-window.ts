/** One of the rate limit windows of a provider. */
export interface RateLimitWindow {
  readonly isUsedUp: boolean;
  /** Seconds until the window resets. */
  readonly resetS: number;
}

/** Parses a header with one number per window, such as `12, 340`; empty if any part is not a number. */
export function parseNumberList(headers: Headers, name: string): number[] {
  const text = headers.get(name) ?? "";
  const numbers = text.split(",").map((part) => Number.parseFloat(part));
  return numbers.some(Number.isNaN) ? [] : numbers;
}

/**
 * Computes when to retry (epoch ms): after the last reset of all exhausted windows, or after the reset of the first
 * window if none is exhausted.
 */
export function computeRetryTime(windows: readonly RateLimitWindow[], nowMs: number): number | undefined {
  const usedUp = windows.filter(({ isUsedUp }) => isUsedUp);
  const waited = usedUp.length > 0 ? usedUp : windows.slice(0, 1);
  return waited.length === 0 ? undefined : nowMs + 1000 * Math.max(...waited.map(({ resetS }) => resetS));
}
