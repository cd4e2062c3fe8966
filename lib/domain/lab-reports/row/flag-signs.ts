import type { PrintedRange } from "./read-range.ts";

/** Signs that flag a value only if it lies outside its range on their side; a lone hyphen may mean no flag. */
const SIGN = /^[([]?(\+{1,2}|-{1,2}|[–−])[)\]]?$/;
const BEHIND = /^(.*\d)\s+(\+{1,2}|-{1,2}|[–−]|\((?:\+{1,2}|-{1,2}|[–−])\))$/;
const AHEAD = /^(\+{1,2}|-{1,2}|[–−])\s+(\d.*)$/;

/** Reports whether a text is a sign for high or low. */
export const isFlagSign = (text: string): boolean => SIGN.test(text.trim());

/** Splits a value from the sign before or behind it; null if it has none. */
export function splitFlagSign(text: string): { value: string; sign: string } | null {
  const [, value = "", sign = ""] = BEHIND.exec(text.trim()) ?? [];
  if (sign !== "") return { value, sign };
  const [, before = "", behind = ""] = AHEAD.exec(text.trim()) ?? [];
  return before === "" ? null : { value: behind, sign: before };
}

/** The flag that a sign stands for; null if the number does not lie outside the range on that side. */
export function flagFromSign(sign: string, number: number | null, { min, max }: PrintedRange): string | null {
  const [, plain = ""] = SIGN.exec(sign.trim()) ?? [];
  if (plain === "" || number === null) return null;
  const isAbove = plain.startsWith("+");
  const isBeyond = isAbove ? max !== null && number >= max : min !== null && number <= min;
  return isBeyond ? (isAbove ? "H" : "L").repeat(plain.length) : null;
}
