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

/**
 * Parses an HTTP date in one of its three formats (RFC 9110, 5.6.7). Each starts with the name of a day. Two name GMT,
 * and the third, that of asctime, is in GMT too. NaN for other texts.
 */
function httpDate(text: string): number {
  if (/^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/.test(text))
    return Date.parse(`${text} GMT`);
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
