/** YYYY, then month, day, time and UTC offset as far as known (HL7 v2.5.1, 2.A.22 "DTM"). */
const TIME = /^(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(?:(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?)?([+-]\d{4})?$/;

/**
 * Converts an HL7 time to ISO 8601 in UTC. Null if invalid.
 * @param zone offset of a time without its own, such as `-0700`: that of MSH-7, else UTC.
 */
export function fromHl7Time(text: string, zone = "+0000"): string | null {
  const [, year, month = "01", day = "01", hours = "00", minutes = "00", seconds = "00", own] = TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const offset = own ?? zone;
  const ms = Date.parse(
    `${year}-${month}-${day}T${hours}:${minutes}:${seconds}${offset.slice(0, 3)}:${offset.slice(3)}`,
  );
  return Number.isNaN(ms) || !isDate(year, month, day) ? null : new Date(ms).toISOString();
}

/** The UTC offset of an HL7 time, such as `-0700`; undefined without one. */
export const offsetOf = (text: string): string | undefined => TIME.exec(text)?.[7];

/** Converts an HL7 time to a date, YYYY-MM-DD; null if it has no day or is invalid. */
export function fromHl7Date(text: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(text) ?? [];
  return year && month && day && isDate(year, month, day) ? `${year}-${month}-${day}` : null;
}

/** Reports whether a month has the day; Date.parse reads 31 April as 1 May. */
function isDate(year: string, month: string, day: string): boolean {
  const ms = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${year}-${month}-${day}`);
}
