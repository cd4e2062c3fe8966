/** LOINC code: up to seven digits, a hyphen and a check digit. */
const PATTERN = /^(\d{1,7})-(\d)$/;

/**
 * Whether a text is a LOINC code with a valid check digit (LOINC Users' Guide, Appendix D). Counted from the right, the
 * digits at odd positions form one number, which is doubled. Its digits, the digits at even positions and the check
 * digit add up to a multiple of ten.
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

/** Unique integer of a LOINC code: its digits without the hyphen. */
export const loincNumber = (code: string): number => Number(code.replace("-", ""));
