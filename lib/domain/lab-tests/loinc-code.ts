/** A LOINC code: up to seven digits, a hyphen, a check digit. */
const PATTERN = /^(\d{1,7})-(\d)$/;

/**
 * Whether a text is a LOINC code with the right check digit: from the right, the digits at odd places are read as one
 * number and doubled, those at even places are put before it, and the digits of the whole add up with the check digit to a
 * multiple of ten (LOINC Users' Guide, Appendix D).
 */
export function isLoincCode(text: string): boolean {
  const [, digits = "", check = ""] = PATTERN.exec(text) ?? [];
  if (digits === "") return false;
  const places = [...digits].reverse();
  const odd = places.filter((_, place) => place % 2 === 0).reverse();
  const even = places.filter((_, place) => place % 2 === 1).reverse();
  const doubled = String(2 * Number(odd.join("")));
  const sum = [...even, ...doubled, check].reduce((total, digit) => total + Number(digit), 0);
  return sum % 10 === 0;
}

/** A whole number that stands for the code and for no other: its digits without the hyphen. */
export const loincNumber = (code: string): number => Number(code.replace("-", ""));
