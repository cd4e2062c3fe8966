const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** Formats an instant at its own UTC offset: `2026-05-01 08:30 UTC`. Other texts stay as they are. */
export function formatInstant(text: string): string {
  const [, date, time, offset = ""] = INSTANT.exec(text) ?? [];
  if (date === undefined) return text;
  const isUtc = offset === "Z" || /^[+-]00:?00$/.test(offset);
  const zone = isUtc ? "UTC" : offset && `UTC${offset}`;
  return [date, time, zone].filter(Boolean).join(" ");
}

/** The date of an instant at its own offset, YYYY-MM-DD. */
export const formatDay = (text: string): string => text.slice(0, 10);
