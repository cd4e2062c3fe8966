import type { PrintedRange } from "./read-range.ts";

/** Signs that judge a value only where it is beyond its range on their side, as a hyphen may stand for nothing. */
const SIGN = /^[([]?(\+{1,2}|-{1,2}|[–−])[)\]]?$/;
const BEHIND = /^(.*\d)\s+(\+{1,2}|-{1,2}|[–−]|\((?:\+{1,2}|-{1,2}|[–−])\))$/;
const AHEAD = /^(\+{1,2}|-{1,2}|[–−])\s+(\d.*)$/;

/** Whether a text is a sign for above or below. */
export const isFlagSign = (text: string): boolean => SIGN.test(text.trim());

/** A value and the sign behind or before it; null where none is. */
export function splitSign(text: string): { value: string; sign: string } | null {
  const [, value = "", sign = ""] = BEHIND.exec(text.trim()) ?? [];
  if (sign !== "") return { value, sign };
  const [, before = "", behind = ""] = AHEAD.exec(text.trim()) ?? [];
  return before === "" ? null : { value: behind, sign: before };
}

/** The flag that a sign stands for beside a number outside its range; null where the number is not on the side that the sign says. */
export function flagOfSign(sign: string, number: number | null, { min, max }: PrintedRange): string | null {
  const [, plain = ""] = SIGN.exec(sign.trim()) ?? [];
  if (plain === "" || number === null) return null;
  const isAbove = plain.startsWith("+");
  const isBeyond = isAbove ? max !== null && number >= max : min !== null && number <= min;
  return isBeyond ? (isAbove ? "H" : "L").repeat(plain.length) : null;
}
