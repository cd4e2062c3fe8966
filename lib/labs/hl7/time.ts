/** YYYY, then month, day, time and offset from UTC as far as they are known. */
const TIME = /^(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?([+-]\d{4})?$/;

/** The instant of a time of HL7, ISO 8601 in UTC; a time without offset is taken as UTC. Null for none. */
export function fromHl7Time(text: string): string | null {
  const [, year, month = "01", day = "01", hours = "00", minutes = "00", seconds = "00", offset] =
    TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const zone = offset ? `${offset.slice(0, 3)}:${offset.slice(3)}` : "Z";
  const ms = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${zone}`);
  return Number.isNaN(ms) || !isDate(year, month, day) ? null : new Date(ms).toISOString();
}

/** The date of a time of HL7, YYYY-MM-DD; null for what has no day or is none. */
export function fromHl7Date(text: string): string | null {
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})/.exec(text) ?? [];
  return year && month && day && isDate(year, month, day) ? `${year}-${month}-${day}` : null;
}

/** Whether a month has such a day: 31 April is read as 1 May otherwise. */
function isDate(year: string, month: string, day: string): boolean {
  const ms = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${year}-${month}-${day}`);
}
