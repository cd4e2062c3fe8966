/**
 * Wall clocks by the names of zones alone. A wall-clock time is a number like `Date.UTC` of what the clock shows, so
 * that days and hours of it are arithmetic; no offsets are computed anywhere but here.
 */

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

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

/** What clocks in a zone show at an instant. */
export function shownIn(zone: string, ms: number): number {
  const parts = Object.fromEntries(
    clockOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((ms % 1000) + 1000) % 1000);
}

/** What the user's clock showed: by the offset told with the data, else by the fallback zone. */
export function shownTo(offsetS: number | null, zone: string, ms: number): number {
  return offsetS === null ? shownIn(zone, ms) : ms + offsetS * 1000;
}

/** The first instant at which clocks of a zone show this time or a later one. */
export function instantOf(zone: string, shown: number): number {
  let before = shown - 2 * DAY;
  let after = shown + 2 * DAY;
  // Clocks that are set back show a time twice, so the hours around are walked before the last one is halved.
  for (let at = before; at <= after; at += 15 * MINUTE) {
    if (shownIn(zone, at) >= shown) {
      after = at;
      break;
    }
    before = at;
  }
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (shownIn(zone, middle) >= shown) after = middle;
    else before = middle;
  }
  return after;
}
