/** Characters that OCR confuses with a digit. */
const digits: Readonly<Record<string, string>> = {
  O: "0",
  o: "0",
  Q: "0",
  D: "0",
  l: "1",
  I: "1",
  "|": "1",
  "!": "1",
  S: "5",
  s: "5",
  B: "8",
  Z: "2",
  z: "2",
};

const NUMBER = /^(?:[<>]=?)?[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?[HLAC*]{0,2}$/;

/**
 * Repairs a misrecognised number: `l.O2` becomes 1.02, `4,1` becomes 4.1 and `. 85` becomes .85; null if no number
 * results.
 */
export function repairNumber(read: string): string | null {
  const text = read.trim();
  if (text === "" || !/[\dOolI]/.test(text)) return null;
  if (/^[<>]?0\d{1,2}$/.test(text)) return text.replace("0", "0.");
  if (NUMBER.test(text)) return text;
  const joined = text
    .replaceAll(/(?<=[\d.,])\s+(?=[.,:])|(?<=[.,:])\s+(?=\d)/g, "")
    .replaceAll(/[‘’'`"“”_]|(?<=\d)[\]}]$/g, "");
  const [, sign = "", body = "", flag = ""] = /^([<>≤≥]?=?\s*[-+]?)(.*?)(\s*(?:HH|LL|H|L|A|C|\*)?)$/.exec(joined) ?? [];
  if ((body.match(/\d/g)?.length ?? 0) * 3 < body.replaceAll(/[.,]/g, "").length) return null;
  const asDigits = [...body].map((letter) => digits[letter] ?? letter).join("");
  const withPoint = asDigits
    .replace(/^(\d+),(\d{1,2})$/, "$1.$2")
    .replace(/^(\d+)[:;]{1,2}(\d{1,3})[:;]?$/, "$1.$2")
    .replace(/\.{2,}/, ".")
    .replace(/[.,]$/, "");
  const repaired = `${sign.replaceAll(" ", "")}${withPoint}${flag.trim()}`;
  return NUMBER.test(repaired) && /\d/.test(repaired) ? repaired : null;
}

/**
 * Inserts a lost decimal point at the position that other numbers of the test have; null if the number would not fit
 * the range.
 */
export function insertDecimalPoint(read: string, decimals: number, low: number, high: number): string | null {
  const [, sign = "", body = ""] = /^([<>]=?)?(\d+)$/.exec(read) ?? [];
  if (decimals < 1 || body.length <= decimals) return null;
  const repaired = `${body.slice(0, -decimals)}.${body.slice(-decimals)}`;
  const number = Number(repaired);
  return number >= low / 3 && number <= high * 3 ? `${sign}${repaired}` : null;
}
