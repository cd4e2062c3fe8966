/** YYYY, then month, day, time and UTC offset as far as known. */
const TIME = /^(\d{4})(\d{2})?(\d{2})?(?:(\d{2})(\d{2})(?:(\d{2})(?:\.\d{1,4})?)?)?([+-]\d{4})?$/;

/** Converts an HL7 time to ISO 8601 in UTC. A time without an offset counts as UTC. Null if invalid. */
export function fromHl7Time(text: string): string | null {
  const [, year, month = "01", day = "01", hours = "00", minutes = "00", seconds = "00", offset] =
    TIME.exec(text) ?? [];
  if (year === undefined) return null;
  const zone = offset ? `${offset.slice(0, 3)}:${offset.slice(3)}` : "Z";
  const ms = Date.parse(`${year}-${month}-${day}T${hours}:${minutes}:${seconds}${zone}`);
  return Number.isNaN(ms) || !isDate(year, month, day) ? null : new Date(ms).toISOString();
}

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
