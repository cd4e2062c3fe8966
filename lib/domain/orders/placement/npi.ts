/** Prefix of the Luhn checksum: card issuer identifier for health applications in the United States. */
const CARD_PREFIX = "80840";

/**
 * Whether a text is a National Provider Identifier: ten digits that start with 1 or 2, with a valid Luhn check digit
 * over the prefix 80840 and the number (45 CFR 162.406).
 */
export function isNpi(text: string): boolean {
  if (!/^[12]\d{9}$/.test(text)) return false;
  const places = [...`${CARD_PREFIX}${text}`].reverse().map(Number);
  const sum = places.reduce((total, digit, place) => {
    const doubled = place % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0;
}
