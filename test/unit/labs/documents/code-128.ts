/** Alternating widths of three bars and three spaces, by character value. */
const PATTERNS =
  `212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321 232121
111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121 313121 211331
231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224 111422 121124 121421
141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111 111242 121142 121241 114212
124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113 114311 411113 411311 113141 114131
311141 411131 211412 211214 211232`.split(/\s+/);
const STOP = "2331112";
const [TO_C, TO_B, TO_A] = [99, 100, 101];
const starts: Readonly<Record<number, "A" | "B" | "C">> = { 103: "A", 104: "B", 105: "C" };

/** Decodes Code 128 from bar and space widths in modules (ISO/IEC 15417). @throws Error for an invalid code. */
export function readCode128(widths: readonly number[]): string {
  const text = widths.join("");
  if (!text.endsWith(STOP)) throw new Error("no stop");
  const groups = text.slice(0, -STOP.length).match(/.{1,6}/g) ?? [];
  const values = groups.map((pattern) => PATTERNS.indexOf(pattern));
  const [start = -1, ...rest] = values;
  const check = rest.pop();
  const sum = rest.reduce((total, value, index) => total + value * (index + 1), start);
  if (values.includes(-1) || check !== sum % 103) throw new Error("wrong check character");
  return unfold(starts[start], rest);
}

function unfold(first: "A" | "B" | "C" | undefined, values: readonly number[]): string {
  let set = first;
  let text = "";
  for (const value of values) {
    if (set === undefined) throw new Error("no start");
    if (set === "C" && value < TO_C + 1) text += String(value).padStart(2, "0");
    else if (value < 95 && (set === "B" || value < 64)) text += String.fromCharCode(32 + value);
    else if (value === TO_C && set !== "C") set = "C";
    else if (value === TO_B && set !== "B") set = "B";
    else if (value === TO_A && set !== "A") set = "A";
    else throw new Error(`no printable character ${value}`);
  }
  return text;
}
