import type { RangeBounds } from "../../results/values/compare-with-range.ts";

/** The reference range that a report prints for a test. */
export interface PrintedRange extends RangeBounds {
  /** The expected qualitative result, such as `Negative`; null for numbers. */
  readonly expected: string | null;
  /** Whether the bounds are denominators of titers: 40 for `<1:40`. */
  readonly isTiter: boolean;
  /** The unit printed with the range. */
  readonly units: string | null;
  /** Number of decimals of the bounds; null without bounds. */
  readonly decimals: number | null;
  /** Whether both bounds have the same number of decimals. */
  readonly hasEqualDecimals: boolean;
}

const REQUIRED = String.raw`[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)`;
const UNIT = String.raw`(?:\s*([^\d\s(\[<>.,:].*|\([a-z].*|%.*|\/.*|10[*^].*|[x×]\s?10.*))?`;
const BETWEEN = new RegExp(`^(${REQUIRED})\\s*%?\\s*(?:-|–|—|−|~|to|thru|through)\\s*(${REQUIRED})${UNIT}$`, "i");
const AT_MOST = new RegExp(
  `^(<|<\\s*(?:or)?\\s*=|≤|=<|up\\s*to|at\\s+most|(?:not|no)\\s+more\\s+than|less\\s+than(?:\\s+or\\s+equal\\s+to)?|below|under|max\\.?|0\\s*-\\s*<)\\s*(${REQUIRED})${UNIT}$`,
  "i",
);
const AT_LEAST = new RegExp(
  `^(>|>\\s*(?:or)?\\s*=|≥|=>|greater\\s+than(?:\\s+or\\s+equal\\s+to)?|more\\s+than|above|over|at\\s+least|min\\.?)\\s*(${REQUIRED})${UNIT}$`,
  "i",
);
/** Words for bounds that are outside the range themselves. */
const EXCLUDES = /^(?:<|0\s*-\s*<|less\s+than|below|under|>|greater\s+than|more\s+than|above|over)$/i;
const BEHIND = new RegExp(
  `^(${REQUIRED})\\s*(or less|or below|or more|or greater|or above|and above|and below)${UNIT}$`,
  "i",
);
const LABEL =
  /^(?:ref(?:erence)?\.?\s*(?:range|interval|value)?s?|normal(?:\s*range)?|range|expected|desirable|optimal|target|adults?|males?|females?|m|f|men|women|nl)\s*[:=]\s*/i;
/** The same labels without a separator: `Reference range 70-99`, `normal between 70 and 99`. */
const PLAIN_LABEL =
  /^(?:(?:reference|ref\.?|normal|expected|desirable|desired|optimal|healthy|target|usual|standard|typical|biological|lab(?:oratory)?|range|interval|limit|value)s?\s*[:=]?\s+)+(?=[-([{<>≤≥.\d]|less|more|greater|up|below|under|above|over|at\b|between|from)/i;
const NONE =
  /^(?:not?\s*(?:estab|applic|avail|define|range|ref)|n\/?a\b|none$|see\b|-+$|\*+$|\.+$|n\/?e$|refer\b|varies)/i;

/** The start of a titer, before its denominator. */
const TITER = /(?<![\d.,])1\s?:\s?(?=\d)/g;

/** Dates, which start like ranges. */
const DATE = /^\d{4}-\d{1,2}-\d{1,2}\b|^\d{1,2}-\d{1,2}-\d{4}\b/;

/** `between 70 and 99`, `from 70 to 99`. */
const SPOKEN = /^(?:between|from)\s+([\d.,]+)\s*(?:and|to|[-–—])\s*(?=\d)/i;

/** The absence of a range. */
export const noRange: PrintedRange = {
  min: null,
  max: null,
  excludesMin: false,
  excludesMax: false,
  expected: null,
  isTiter: false,
  units: null,
  decimals: null,
  hasEqualDecimals: true,
};

/** Reads a printed range: `70-99`, `(3.5 to 5.1)`, `<5.0 mg/L`, `> OR = 60`, `<1:40`, `Negative`, `Not Estab.` */
export function readRange(printed: string): PrintedRange {
  const text = withoutBrackets(withoutLabel(withoutBrackets(withoutLabel(printed.trim())))).replace(SPOKEN, "$1 to ");
  if (text === "" || NONE.test(text) || DATE.test(text)) return noRange;
  const denominators = text.replaceAll(TITER, "");
  const titers = denominators === text ? null : readBounds(denominators);
  if (titers) return { ...titers, isTiter: true };
  return readBounds(text) ?? { ...noRange, expected: /\p{L}/u.test(text) ? text : null };
}

function readBounds(text: string): PrintedRange | null {
  const between = BETWEEN.exec(text);
  if (between) return toRange(between[1], between[2], between[3]);
  const atMost = AT_MOST.exec(text);
  if (atMost) return { ...toRange(undefined, atMost[2], atMost[3]), excludesMax: EXCLUDES.test(atMost[1] ?? "") };
  const atLeast = AT_LEAST.exec(text);
  if (atLeast) return { ...toRange(atLeast[2], undefined, atLeast[3]), excludesMin: EXCLUDES.test(atLeast[1] ?? "") };
  const behind = BEHIND.exec(text);
  if (behind) {
    const isMost = /less|below/i.test(behind[2] ?? "");
    return isMost ? toRange(undefined, behind[1], behind[3]) : toRange(behind[1], undefined, behind[3]);
  }
  return null;
}

/** Reports whether a text is a range that cannot be read. Texts such as `Not Estab.` do not count. */
export function isUnreadableRange(printed: string): boolean {
  const text = withoutBrackets(withoutLabel(printed.trim()));
  return text !== "" && !NONE.test(text) && !isRange(text) && readRange(text).expected === null;
}

/** Labels occur before and inside brackets. */
const withoutLabel = (text: string) => text.replace(LABEL, "").replace(PLAIN_LABEL, "").trim();

/** Reports whether a text is a numeric range or a bound. */
export function isRange(text: string): boolean {
  const { min, max } = readRange(text);
  return min !== null || max !== null;
}

/** Parses a printed number with thousands separators. */
export const toNumber = (printed: string): number => Number(printed.replaceAll(",", ""));

const decimalsOf = (printed: string): number => printed.split(".")[1]?.length ?? 0;

function toRange(min: string | undefined, max: string | undefined, unit: string | undefined): PrintedRange {
  const units = unit?.trim().replace(/^([^([]*)[)\]]$/, "$1") || null;
  const bounds = [min, max].filter((bound) => bound !== undefined);
  return {
    ...noRange,
    min: min === undefined ? null : toNumber(min),
    max: max === undefined ? null : toNumber(max),
    units,
    decimals: Math.max(...bounds.map(decimalsOf)),
    hasEqualDecimals: new Set(bounds.map(decimalsOf)).size === 1,
  };
}

/** Strips the brackets of `(70-99)` and `[70 to 99] mg/dL`; inner brackets stay. */
function withoutBrackets(text: string): string {
  const [, whole = ""] = /^\[\s*([^[\]]*\([^()[\]]*\))\s*\]$/.exec(text) ?? [];
  if (whole !== "") return whole;
  const match = /^[([{]\s*([^()[\]{}]*?)\s*[)\]}]\s*(.*)$/.exec(text);
  if (match) return `${match[1]} ${match[2]}`.trim();
  return text.replace(/^[([{]\s*(?=[\d<>≤≥.])/, "").replace(/(?<=\d)\s*[)\]}]$/, "");
}

/** Formats two separate bounds as a range. */
export function formatBounds(low: string, high: string): string {
  if (low !== "" && high !== "") return `${low} - ${high}`;
  if (low === "") return high === "" || /^[<≤]/.test(high) ? high : `<=${high}`;
  return /^[>≥]/.test(low) ? low : `>=${low}`;
}
