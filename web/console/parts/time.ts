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

/** The instant of a clock time in a zone, milliseconds. Of a time that a clock shows twice, one of both. */
function instantOfClock(clock: string, zone: string): number {
  const asUtc = Date.parse(`${clock}Z`);
  const shown = Date.parse(`${formatInstant(asUtc, zone).replace(" ", "T")}Z`);
  return asUtc - (shown - asUtc);
}

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
