const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

const CENTURY = 100;

/** Completes a year of two digits. @param monthDay `MM-DD`. */
export type Century = (year: number, monthDay: string) => number;

/** How to read a printed date. */
interface DateForm {
  /** Whether the day precedes the month. */
  readonly isSwapped?: boolean;
  readonly century?: Century;
}

/** Years of column headings, which are only compared with each other: 70 to 99 are of the century before. */
const pivotCentury: Century = (year) => year + (year < 70 ? 20 : 19) * CENTURY;

/** The year that is nearest to that of a day, for the dates of a report. @param today `YYYY-MM-DD`. */
export function nearestCentury(today: string): Century {
  const now = Number(today.slice(0, 4));
  return (year) => now + ((((year - now + CENTURY / 2) % CENTURY) + CENTURY) % CENTURY) - CENTURY / 2;
}

/** The latest year that is not after a day, for dates of birth. @param today `YYYY-MM-DD`. */
export function centuryOfBirth(today: string): Century {
  const century = Math.floor(Number(today.slice(0, 4)) / CENTURY) * CENTURY;
  return (year, monthDay) => century + year - (`${century + year}-${monthDay}` > today ? CENTURY : 0);
}

/**
 * Parses a printed date to `YYYY-MM-DD`; month first, as in the United States, unless swapped. Null if the text has no
 * date, or none of the calendar.
 */
export function readDate(printed: string, { isSwapped = false, century = pivotCentury }: DateForm = {}): string | null {
  const [year = "", month, day] = findDate(printed, isSwapped) ?? [];
  if (month === undefined || day === undefined) return null;
  const monthDay = `${String(month).padStart(2, "0")}-${String(day).padStart(2, "0")}`;
  const full = year.length === 4 ? Number(year) : century(Number(year), monthDay);
  return isCalendarDay(full, month, day) ? `${full}-${monthDay}` : null;
}

/** The year as printed, the month and the day of a text. */
function findDate(printed: string, isSwapped: boolean): readonly [string, number, number] | null {
  const iso = /(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/.exec(printed);
  if (iso) return [iso[1] ?? "", Number(iso[2]), Number(iso[3])];
  const digits = /(?<!\d)(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)/.exec(printed);
  if (digits) return [digits[4] ?? "", ...fromDigits(Number(digits[1]), Number(digits[3]), isSwapped)];
  const dayFirst = /(?<!\d)(\d{1,2})[\s-]*([A-Za-z]{3,9})[.,]?[\s,-]*(\d{4}|\d{2})(?!\d)/.exec(printed);
  if (dayFirst) return [dayFirst[3] ?? "", monthOf(dayFirst[2]), Number(dayFirst[1])];
  const monthFirst = /([A-Za-z]{3,9})[.,]?[\s-]*(\d{1,2})(?:st|nd|rd|th)?[\s,-]+(\d{4}|\d{2})(?!\d)/.exec(printed);
  return monthFirst ? [monthFirst[3] ?? "", monthOf(monthFirst[1]), Number(monthFirst[2])] : null;
}

const monthOf = (name = "") => MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;

/** The month and the day. A first number above 12 is a day. */
const fromDigits = (first: number, second: number, isSwapped: boolean): readonly [number, number] =>
  first > 12 || (isSwapped && second <= 12) ? [second, first] : [first, second];

/** Reports whether dates have the day first: one date allows no other order, or dates have points. */
export const isDayFirst = (text: string): boolean =>
  /(?<![\d/.-])(?:1[3-9]|2\d|3[01])[/.-](?:0?[1-9]|1[0-2])[/.-]\d{4}(?!\d)/.test(text) ||
  /(?<![\d/.-])\d{1,2}\.\d{1,2}\.\d{4}(?!\d)/.test(text);

function isCalendarDay(year: number, month: number, day: number): boolean {
  if (year < 1900 || year > 2100 || month < 1 || month > 12 || day < 1) return false;
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
