import type { LoincCandidate } from "../names/find-loinc.ts";
import { foldConfusables } from "../names/fold-name.ts";
import type { KnownResult, ReportCatalogue } from "../names/report-catalogue.ts";
import type { PrintedRange } from "./read-range.ts";
import { insertDecimalPoint } from "./repair-numbers.ts";
import { isWithinOneEdit, knownUnits, normalizeLitreCase } from "./repair-units.ts";
import { dimensionOf, magnitudeOf } from "./report-units.ts";
import type { PrintedRow } from "./row-parts.ts";

/** Repairs OCR errors of a row by the catalogue and by its other parts. */
export function repairRow(
  row: PrintedRow,
  best: LoincCandidate | undefined,
  catalogue: ReportCatalogue,
  allUnits: readonly (string | null)[],
): PrintedRow {
  const named = { ...row, name: matchKnownSpacing(matchKnownSpelling(repairName(row.name, catalogue), best), best) };
  const repaired = restoreValuePoint(
    restoreRangePoints({ ...named, units: normalizeLitreCase(repairRowUnits(named, best, allUnits), allUnits) }),
  );
  const isSame = (["name", "units", "value", "range"] as const).every((part) => repaired[part] === row[part]);
  return { ...repaired, isRepaired: row.isRepaired || !isSame };
}

/** Trailing signs, and points behind capital letters: remnants of rulings and specks. */
const REMNANTS = /(?:\s+[-–—~_=|.,:;]+|[,;_~])+$|(?<=\b[A-Z]{3,})\.(?=\s|$)/g;

/** Replaces words that OCR confused with a word of known names: `Hemoglobin Alc`. */
function repairName(name: string, { words }: ReportCatalogue): string {
  const repaired = name
    .replaceAll(REMNANTS, "")
    .replaceAll(";", ",")
    .replaceAll(/(?<=\d)[1l|]g(?=[AEGM]\b)/g, " Ig")
    .replaceAll(/(?<![\p{L}\d])[1l|]g(?=[AEGM]\b)/gu, "Ig")
    .split(" ")
    .map((part) => {
      const [, before = "", word = "", after = ""] = /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N}%#]*)$/u.exec(part) ?? [];
      if (word.length < 2 || words.known.has(word.toLowerCase())) return part;
      const likely = words.byLook.get(foldConfusables(word));
      return likely ? `${before}${likely}${after}` : part;
    });
  return repaired.join(" ");
}

/**
 * Replaces a name by a known name of the test that OCR confuses it with: `Hemoglobin Alc`, where `ALC` is a word too.
 */
function matchKnownSpelling(name: string, best: LoincCandidate | undefined): string {
  const parts = name.split(" ");
  const look = parts.map(foldConfusables);
  const others = (best?.known.names ?? []).map((other) => other.split(" "));
  const isAlike = (other: readonly string[]) =>
    other.length === parts.length && other.every((word, place) => foldConfusables(word) === look[place]);
  const found = others.filter(isAlike);
  if (found.length === 0 || found.some((other) => other.join(" ").toLowerCase() === name.toLowerCase())) return name;
  return parts
    .map((part, place) =>
      part.toLowerCase() === found[0]?.[place]?.toLowerCase() ? part : (found[0]?.[place] ?? part),
    )
    .join(" ");
}

/** Restores the spaces of a known name of the test: `Basophils%`. */
function matchKnownSpacing(name: string, best: LoincCandidate | undefined): string {
  const plain = (text: string) => text.replaceAll(" ", "").toLowerCase();
  const alike = (best?.known.names ?? []).filter((known) => plain(known) === plain(name));
  const [known] = alike;
  if (known === undefined || alike.some((one) => one.length === name.length)) return name;
  const letters = [...name.replaceAll(" ", "")];
  return [...known].map((sign) => (sign === " " ? sign : letters.shift())).join("");
}

/**
 * Replaces a unit of the wrong dimension by one of the right dimension at one edit: `K/L` of a count becomes `K/uL`.
 */
function repairRowUnits(
  { units, value }: PrintedRow,
  best: LoincCandidate | undefined,
  all: readonly (string | null)[],
): string | null {
  const expected = best?.known.dimension;
  const count = expected === "count" ? /^([km])[uU]?\/?L?$/i.exec(units ?? "")?.[1] : undefined;
  if (count) return all.find((other) => other?.startsWith(`${count}/`) && other.length > 3) ?? `${count}/uL`;
  if (units === null || !expected || best.confidence < 0.4) return units;
  const isOther = dimensionOf(units) !== expected;
  if (!isOther && isLikelySize(value.number, units, best.known)) return units;
  const plain = units.replaceAll(/[^\w/%^*µμ³]/g, "").toLowerCase();
  const isLikely = (unit: string) =>
    dimensionOf(unit) === expected &&
    isWithinOneEdit(plain, unit.toLowerCase().replaceAll(" ", "")) &&
    (isOther || isTypicalSize(value.number, unit, best.known));
  return knownUnits.find(isLikely) ?? units;
}

/** Dimensions whose prefixes determine the magnitude. */
const scalableDimensions = new Set(["mass", "substance", "activity"]);
/** Factor beyond typical values that a correctly read unit still allows. */
const MAX_TYPICAL_FACTOR = 100;
/** Factor around typical values within which a value confirms a unit. */
const TYPICAL_FACTOR = 4;

/** Reports whether the magnitude of a value fits a unit; `5.3 mg/dL` is no albumin. An unknown magnitude fits. */
function isLikelySize(number: number | null, units: string, known: KnownResult): boolean {
  return isWithinTypical(number, units, known, MAX_TYPICAL_FACTOR) ?? true;
}

const isTypicalSize = (number: number | null, units: string, known: KnownResult) =>
  isWithinTypical(number, units, known, TYPICAL_FACTOR) ?? false;

/** Reports whether a value is within a factor of typical values; null if typical values are unknown. */
function isWithinTypical(number: number | null, units: string, { usual, result }: KnownResult, factor: number) {
  if (number === null || number <= 0 || !usual || result.unit === null) return null;
  const kind = dimensionOf(units);
  if (kind === null || !scalableDimensions.has(kind) || kind !== dimensionOf(result.unit)) return null;
  const inUsual = number * 10 ** (magnitudeOf(units) - magnitudeOf(result.unit));
  return inUsual <= usual[1] * factor && inUsual >= usual[0] / factor;
}

const decimalsOf = (printed: string) => printed.split(".")[1]?.length ?? 0;

/**
 * Restores lost decimal points of a range by the decimals of the value and of the other bound: `11-44` beside 3.5
 * becomes 1.1-4.4.
 */
function restoreRangePoints(row: PrintedRow): PrintedRow {
  const { min, max } = row.range;
  const { number, value } = row.value;
  if (number === null) return row;
  const decimals = row.range.decimals || decimalsOf(value);
  const isInverted = min !== null && max !== null && min > max;
  const isFar = (min !== null && min > number * 3) || (max !== null && min !== null && max < number / 3);
  const far = row.range.hasEqualDecimals ? 15 : 6;
  const isFarAbove = min !== null && max !== null && min > 0 && max > min * far && row.range.decimals !== 0;
  if (decimals < 1 || !(isInverted || isFar || isFarAbove)) return row;
  if (!row.range.hasEqualDecimals && decimalsOf(value) === 0) return dropRangePoint(row, number);
  const repaired = {
    ...row.range,
    min: restoreBoundPoint(min, decimals, number),
    max: restoreBoundPoint(max, decimals, number),
    decimals,
  };
  return isConsistentRange(repaired, number) ? { ...row, range: repaired } : row;
}

/** Drops a decimal point that only the lower bound has and that makes it far too low: `1.34-144` becomes 134-144. */
function dropRangePoint(row: PrintedRow, number: number): PrintedRow {
  const { min, max, decimals } = row.range;
  if (min === null || max === null || !decimals || !Number.isInteger(max) || number < max / 3) return row;
  const repaired = { ...row.range, min: Math.round(min * 10 ** decimals), decimals: 0, hasEqualDecimals: true };
  const isLikely = repaired.min < max && repaired.min > max / 4;
  return isLikely ? { ...row, range: repaired } : row;
}

function restoreBoundPoint(bound: number | null, decimals: number, near: number): number | null {
  if (bound === null || !Number.isInteger(bound) || (bound <= near * 3 && bound >= near / 3)) return bound;
  const repaired = insertDecimalPoint(String(bound), decimals, near / 3, near * 3);
  return repaired === null ? bound : Number(repaired);
}

const isConsistentRange = ({ min, max }: PrintedRange, number: number) =>
  (min === null || max === null || min < max) && (min === null || min <= number * 4);

/** Restores the lost decimal point of a value by the decimals of its range: `14` beside 0.9-1.2 becomes 1.4. */
function restoreValuePoint(row: PrintedRow): PrintedRow {
  const { min, max, decimals } = row.range;
  const { value, number, kind } = row.value;
  if (kind !== "number" || number === null || !decimals || decimalsOf(value) > 0 || max === null) return row;
  if (number <= max) return row;
  const repaired = insertDecimalPoint(value, decimals, min || max / 4, max);
  if (repaired === null) return row;
  return { ...row, value: { ...row.value, value: repaired, number: Number(repaired.replace(/^[<>]=?/, "")) } };
}
