/** Substitutes of characters that the built-in fonts lack. */
const spellings: Readonly<Record<string, string>> = {
  "≤": "<=",
  "≥": ">=",
  "≠": "not =",
  "≈": "~",
  "−": "-",
  "‐": "-",
  "‑": "-",
  "→": "->",
  "←": "<-",
  "↑": "(up)",
  "↓": "(down)",
  "∞": "infinity",
  Ω: "Ohm",
  μ: "µ",
  α: "alpha",
  β: "beta",
  γ: "gamma",
  δ: "delta",
  Δ: "delta",
  ε: "epsilon",
  κ: "kappa",
  λ: "lambda",
  ω: "omega",
  "′": "'",
  "″": '"',
};

const SUPERSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹";
/** A power with digits that the fonts lack. */
const POWER = /[⁰¹²³⁴-⁹⁺⁻]*[⁰⁴-⁹⁺⁻][⁰¹²³⁴-⁹⁺⁻]*/g;
/** Characters of the fonts besides ASCII: Latin-1 and the rest of code page 1252. */
const PRINTABLE = /[\n\x20-\x7e\xa0-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/;

/**
 * Replaces characters that the built-in fonts lack, so that no character turns into another: `≥60` becomes `>=60` and
 * `10⁹` becomes `10^9`. A missing accent is dropped, and a character without a substitute becomes a question mark.
 */
export function toPrintable(text: string): string {
  const powered = text.replaceAll(POWER, (power) => `^${[...power].map(digitOf).join("")}`);
  return [...powered.normalize("NFC").replaceAll(/\r\n?/g, "\n")].map(spell).join("");
}

function digitOf(sign: string): string {
  if (sign === "⁻") return "-";
  if (sign === "⁺") return "+";
  return String(SUPERSCRIPTS.indexOf(sign));
}

function spell(sign: string): string {
  if (PRINTABLE.test(sign)) return sign;
  if (/^[\p{Cc}\p{Z}]$/u.test(sign)) return " ";
  if (/^[\p{Cf}\p{M}]$/u.test(sign)) return "";
  const spelling = spellings[sign];
  if (spelling !== undefined) return spelling;
  const parts = [...sign.normalize("NFKD").replaceAll(/\p{M}/gu, "")];
  const isKnown = parts.length > 0 && parts.every((part) => PRINTABLE.test(part) || spellings[part] !== undefined);
  return isKnown ? parts.map((part) => spellings[part] ?? part).join("") : "?";
}
