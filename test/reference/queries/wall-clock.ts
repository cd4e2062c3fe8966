/**
 * Wall clocks from the names of zones alone. A wall-clock time is a number as from `Date.UTC`, so days and hours are
 * arithmetic. Only this module computes offsets.
 */

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const numbers = { year: "numeric", month: "numeric", day: "numeric", hour: "numeric", minute: "numeric" } as const;
  const clock = new Intl.DateTimeFormat("en-US", {
    ...numbers,
    second: "numeric",
    hourCycle: "h23",
    timeZone: zone,
    calendar: "iso8601",
  });
  clocks.set(zone, clock);
  return clock;
}

/** The wall clock of a zone at an instant. */
export function wallClockIn(zone: string, ms: number): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000);
}

/** The user's wall clock: by the offset of the data, else by the fallback zone. */
export function userWallClock(offsetS: number | null, zone: string, ms: number): number {
  return offsetS === null ? wallClockIn(zone, ms) : ms + offsetS * 1000;
}

/** The first instant at which a zone's clock shows this time or a later one. */
export function instantOf(zone: string, shown: number): number {
  let before = shown - 2 * DAY_MS;
  let after = shown + 2 * DAY_MS;
  // A clock set back shows a time twice. So the search goes forward in steps of 15 minutes and bisects the last step.
  for (let at = before; at <= after; at += 15 * MINUTE_MS) {
    if (wallClockIn(zone, at) >= shown) {
      after = at;
      break;
    }
    before = at;
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (wallClockIn(zone, middle) >= shown) after = middle;
    else before = middle;
  }
  return after;
}
