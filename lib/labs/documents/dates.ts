const INSTANT = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?$/;

/** An instant as documents show it, by the clocks that it came with: `2026-05-01 08:30 UTC`; other text as it is. */
export function instantText(text: string): string {
  const [, date, time, offset = ""] = INSTANT.exec(text) ?? [];
  if (date === undefined) return text;
  const isUtc = offset === "Z" || /^[+-]00:?00$/.test(offset);
  const zone = isUtc ? "UTC" : offset && `UTC${offset}`;
  return [date, time, zone].filter(Boolean).join(" ");
}

/** The day of an instant, YYYY-MM-DD, as it came. */
export const dayText = (text: string): string => text.slice(0, 10);
