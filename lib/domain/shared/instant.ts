/** An instant and its written offset from UTC. */
export interface ParsedInstant {
  /** Epoch milliseconds; finer fractions are truncated. */
  readonly ms: number;
  /** Seconds east of UTC; null for Z or -00:00, which do not state the local offset (RFC 9557, section 2.2). */
  readonly offsetS: number | null;
}

// Years before 1900 are mistakes, not health data (and Date.UTC reads the years 0 to 99 as 1900 to 1999).
const INSTANT =
  /^((?:19|2\d)\d\d)-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d+))?)?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/**
 * Parses an ISO 8601 date-time with Z or an offset (the profile of RFC 3339; seconds are optional). Returns undefined
 * for anything else, including times without an offset and days that the month does not have.
 */
export function parseInstant(text: unknown): ParsedInstant | undefined {
  const parts = typeof text === "string" ? INSTANT.exec(text) : null;
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second = 0, fraction, sign, offsetHours, offsetMinutes] = parts;
  const dayMs = Date.UTC(Number(year), Number(month) - 1, Number(day));
  if (Number(day) > 28 && new Date(dayMs).getUTCDate() !== Number(day)) return undefined;
  const millisecond = fraction === undefined ? 0 : Number(fraction.slice(0, 3).padEnd(3, "0"));
  const localMs = dayMs + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000 + millisecond;
  if (sign === undefined) return { ms: localMs, offsetS: null };
  const offsetS = (Number(offsetHours) * 60 + Number(offsetMinutes)) * (sign === "-" ? -60 : 60);
  return { ms: localMs - offsetS * 1000, offsetS: Object.is(offsetS, -0) ? null : offsetS };
}

/**
 * Formats an instant for the wire: UTC as `2026-01-02T03:04:05+00:00`, with milliseconds only when they are not zero.
 * An invalid number becomes an invalid text, so that only its own record is rejected.
 */
export function formatInstant(ms: number): string {
  const instant = new Date(ms);
  if (Number.isNaN(instant.getTime())) return "no instant";
  const text = instant.toISOString();
  return `${text.slice(0, text.endsWith(".000Z") ? -5 : -1)}+00:00`;
}

/** Formats an offset from UTC in seconds, of full minutes: `+05:30`, `-08:00`. */
export function formatOffset(offsetS: number): string {
  const minutes = Math.abs(offsetS) / 60;
  const [hour, minute] = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0"));
  return `${offsetS < 0 ? "-" : "+"}${hour}:${minute}`;
}

/** Parses an ISO 8601 date-time to epoch milliseconds, in UTC unless it has an offset. NaN for another text. */
export const parseInUtc = (text: string): number => Date.parse(HAS_OFFSET.test(text) ? text : `${text}Z`);

const HAS_OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;
