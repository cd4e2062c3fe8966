/** Statuses that may carry `Retry-After` (RFC 9110, 15.5.2 and 15.6.4; RFC 6585, 4). */
const statuses: readonly number[] = [429, 503];
/** Maximum pause that a receiver can request at a time. */
const MAX_HOLD_MS = 24 * 60 * 60 * 1000;

/**
 * Returns the instant (epoch ms) until which a receiver requests a pause by `Retry-After` (RFC 9110, 10.2.3: seconds or
 * an HTTP date), at most one day ahead; undefined without such a request.
 */
export function parseRetryAfter(status: number, retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined || !statuses.includes(status)) return undefined;
  const untilMs = /^\d+$/.test(retryAfter) ? nowMs + Number(retryAfter) * 1000 : httpDate(retryAfter);
  return untilMs > nowMs ? Math.min(untilMs, nowMs + MAX_HOLD_MS) : undefined;
}

/** Parses an HTTP date, which starts with the name of a day and is in GMT. NaN for other texts. */
function httpDate(text: string): number {
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
