/** Durations. `_MS` is milliseconds, `_S` seconds. A day has 24 hours: use a time zone for days of people. */
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
export const HOUR_S = 3_600;
export const DAY_S = 24 * HOUR_S;

/** Maximum delay of an SQS message (SQS API reference, SendMessage). */
export const MAX_QUEUE_DELAY_S = 900;
export const MAX_QUEUE_DELAY_MS = MAX_QUEUE_DELAY_S * 1_000;
