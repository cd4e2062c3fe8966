const days = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
const dayAbbreviations = ["mo", "tu", "we", "th", "fr", "sa", "su"];
type Day = (typeof days)[number];
export type OpeningHours = Readonly<Partial<Record<Day, string>>>;

const HOURS_PATTERN = /^(mo|tu|we|th|fr|sa|su)(?:-(mo|tu|we|th|fr|sa|su))? (\d\d:\d\d-\d\d:\d\d)$/i;

/**
 * Parses the opening hours of a site list.
 *
 * @example openingHours("Mo-Fr 07:00-15:00; Sa 08:00-12:00") // { monday: "07:00-15:00", ... saturday: "08:00-12:00" }
 * @returns undefined for text in another format.
 */
export function parseOpeningHours(text: string): OpeningHours | undefined {
  const hours: Partial<Record<Day, string>> = {};
  for (const part of text.split(";")) {
    const [, first, last = first, span] = HOURS_PATTERN.exec(part.trim()) ?? [];
    if (!first || !last || !span || !isValidSpan(span)) return undefined;
    const [from, to] = [dayAbbreviations.indexOf(first.toLowerCase()), dayAbbreviations.indexOf(last.toLowerCase())];
    if (to < from) return undefined;
    for (const day of days.slice(from, to + 1)) hours[day] = span;
  }
  return hours;
}

/** Whether both times are valid and the first is before the second. */
function isValidSpan(span: string): boolean {
  const [opens = "", closes = ""] = span.split("-");
  const isTime = (time: string) => time.slice(0, 2) <= "24" && time.slice(3) <= "59";
  return isTime(opens) && isTime(closes) && opens < closes && closes <= "24:00";
}
