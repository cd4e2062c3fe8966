import { isRange } from "./read-range.ts";
import { isUnit } from "./report-units.ts";

/** Maximum number of words of a unit. */
const MAX_UNIT_WORDS = 3;

/** Splits a unit and the range behind it, `mg/dL 70-99`; null for other texts. */
export function splitUnitAndRange(text: string): { readonly units: string; readonly range: string } | null {
  const words = text.split(" ");
  for (let length = Math.min(MAX_UNIT_WORDS, words.length - 1); length > 0; length--) {
    const [units, range] = [words.slice(0, length).join(" "), words.slice(length).join(" ")];
    if (isUnit(units) && /\p{L}|%/u.test(units) && isRange(range)) return { units, range };
  }
  return null;
}
