import { isRange } from "./read-range.ts";
import { isUnit } from "./report-units.ts";

/** From how many words a unit may be. */
const LONGEST = 3;

/** A unit and the range behind it, `mg/dL 70-99`; null for other texts. */
export function unitBefore(text: string): { readonly units: string; readonly range: string } | null {
  const words = text.split(" ");
  for (let length = Math.min(LONGEST, words.length - 1); length > 0; length--) {
    const [units, range] = [words.slice(0, length).join(" "), words.slice(length).join(" ")];
    if (isUnit(units) && /\p{L}|%/u.test(units) && isRange(range)) return { units, range };
  }
  return null;
}
