const formats = new Map<string, Intl.DateTimeFormat>();

/** A format whose parts sort like the instants: `2026-11-25 14:58:52`. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const date = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" } as const;
  const made = new Intl.DateTimeFormat("en-CA", { timeZone: zone, ...date, ...time });
  formats.set(zone, made);
  return made;
}

/** The zone, or UTC for one that this browser does not know: zones get new names, such as Europe/Kyiv. */
export function knownZone(zone: string): string {
  try {
    formatOf(zone);
    return zone;
  } catch {
    return "UTC";
  }
}

/** Date and clock time of an instant in a zone: `2026-11-25 14:58:52`. */
export function formatInstant(ms: number, zone: string): string {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day} ${parts.hour}:${parts.minute}:${parts.second}`;
}

/** Date of an instant in a zone: `2026-11-25`. */
export const dateOf = (ms: number, zone: string) => formatInstant(ms, zone).slice(0, 10);

/** Adds days to a date. */
export const addDays = (date: string, days: number) =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** How far the clocks of a zone are ahead of UTC at an instant, milliseconds. */
const offsetAt = (ms: number, zone: string) =>
  Date.parse(`${formatInstant(ms, zone).replace(" ", "T")}Z`) - Math.floor(ms / 1_000) * 1_000;

/**
 * The instant of a clock time in a zone, milliseconds. Of a time that the clocks show twice, it is the first. For a time
 * that they skip, it is the instant at which they would have shown it without the change.
 */
function instantOfClock(clock: string, zone: string): number {
  const asUtc = Date.parse(`${clock}Z`);
  // Clocks change at most once in two days, so the offset is one of these.
  const offsets = [-86_400_000, 86_400_000].map((ms) => offsetAt(asUtc + ms, zone));
  const candidates = offsets.map((offset) => asUtc - offset);
  const exact = candidates.filter((ms) => ms + offsetAt(ms, zone) === asUtc);
  return exact.length > 0 ? Math.min(...exact) : asUtc - (offsets[0] ?? 0);
}

/** Whether a text is a date of the calendar, such as `2026-11-25`. */
export const isDate = (text: string): boolean =>
  /^[12]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The instant at which a date begins in a zone, milliseconds. */
export const instantOf = (date: string, zone: string) => instantOfClock(`${date}T00:00:00`, zone);

/** The instant of a field with date and time in a zone, ISO 8601; undefined for an empty field. */
export const zonedInstant = (field: string, zone: string) =>
  field === "" ? undefined : new Date(instantOfClock(field, zone)).toISOString();

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STEPS = [
  [86_400_000 * 365, "year"],
  [86_400_000 * 30, "month"],
  [86_400_000, "day"],
  [3_600_000, "hour"],
  [60_000, "minute"],
] as const;

/** How long ago an instant is, in words: `3 hours ago`. */
export function formatAge(ms: number, nowMs: number): string {
  for (const [step, unit] of STEPS)
    if (Math.abs(nowMs - ms) >= step) return relative.format(Math.round((ms - nowMs) / step), unit);
  return "just now";
}

/** A duration in hours and minutes: `7 h 35 min`. */
export function formatDuration(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
