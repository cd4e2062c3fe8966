/** Statuses with which a receiver may say when to come again (RFC 9110, 15.5.2 and 15.6.4; RFC 6585, 4). */
const statuses: readonly number[] = [429, 503];
/** No receiver puts its deliveries off for longer than this at a time. */
const LONGEST_HOLD_MS = 24 * 60 * 60 * 1000;

/**
 * The instant (epoch ms) until which a receiver asks to be left alone by `Retry-After` (RFC 9110, 10.2.3: seconds or an
 * HTTP date), a day ahead at most; undefined where it does not ask for that.
 */
export function heldUntil(status: number, retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined || !statuses.includes(status)) return undefined;
  const untilMs = /^\d+$/.test(retryAfter) ? nowMs + Number(retryAfter) * 1000 : httpDate(retryAfter);
  return untilMs > nowMs ? Math.min(untilMs, nowMs + LONGEST_HOLD_MS) : undefined;
}

/** HTTP dates begin with the name of a day and are in GMT; NaN for what is none. */
function httpDate(text: string): number {
  return /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*,? .*GMT$/.test(text) ? Date.parse(text) : Number.NaN;
}
