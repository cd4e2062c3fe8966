const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE = BigInt(DIGITS.length);

/** Writes a number in base 62 with a fixed number of digits. @throws RangeError if they are too few. */
export function toBase62(number: bigint, digits: number): string {
  let text = "";
  for (let rest = number; rest > 0n; rest /= BASE) text = (DIGITS[Number(rest % BASE)] ?? "") + text;
  if (text.length > digits) throw new RangeError("too many digits");
  return text.padStart(digits, "0");
}

/** Reads a number in base 62; undefined for other text. */
export function fromBase62(text: string): bigint | undefined {
  let number = 0n;
  for (const digit of text) {
    const value = DIGITS.indexOf(digit);
    if (value === -1) return undefined;
    number = number * BASE + BigInt(value);
  }
  return number;
}
