const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Two-digit years up to this one belong to the current century. */
const CENTURY = 100;
const NEWEST_BIRTH = 26;

/**
 * Parses a printed date to `YYYY-MM-DD`; month first, as in the United States, unless swapped. Null if the text has no
 * date.
 */
export function readDate(printed: string, isSwapped = false): string | null {
  const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(printed);
  if (iso) return toDate(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const digits = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(printed);
  if (digits) return fromDigits(Number(digits[1]), Number(digits[3]), yearOf(digits[4] ?? ""), isSwapped);
  const dayFirst = /(?<!\d)(\d{1,2})[\s-]*([A-Za-z]{3,9})[.,]?[\s,-]*(\d{4}|\d{2})(?!\d)/.exec(printed);
  if (dayFirst) return toDate(yearOf(dayFirst[3] ?? ""), monthOf(dayFirst[2]), Number(dayFirst[1]));
  const monthFirst = /([A-Za-z]{3,9})[.,]?[\s-]*(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4}|\d{2})(?!\d)/.exec(printed);
  if (monthFirst) return toDate(yearOf(monthFirst[3] ?? ""), monthOf(monthFirst[1]), Number(monthFirst[2]));
  return null;
}

const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

function yearOf(digits: string): number {
  const year = Number(digits);
  if (digits.length === 4) return year;
  return year <= NEWEST_BIRTH ? 20 * CENTURY + year : 19 * CENTURY + year;
}

/** A first number above 12 is a day. */
const fromDigits = (first: number, second: number, year: number, isSwapped: boolean) =>
  first > 12 || (isSwapped && second <= 12) ? toDate(year, second, first) : toDate(year, first, second);

/** Reports whether dates have the day first: one date allows no other order, or dates have points. */
export const isDayFirst = (text: string): boolean =>
  /(?<![\d/.-])(?:1[3-9]|2\d|3[01])[/.-](?:0?[1-9]|1[0-2])[/.-]\d{4}(?!\d)/.test(text) ||
  /(?<![\d/.-])\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/.test(text);

function toDate(year: number, month: number, day: number): string | null {
  if (month < 1 || month > 12 || day < 1 || day > 31 || year < 1900 || year > 2100) return null;
  return `${year}-${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
}
