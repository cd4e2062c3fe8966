import { compareWithRange } from "../results/values/compare-with-range.ts";
import type { LoincSearch } from "./names/loinc-search.ts";
import { foldAliasName, type ReportAlias } from "./names/report-alias.ts";
import type { LoincMatch, ReportData, ReportResult } from "./wire-parsing-job.ts";
import type { Acceptance, AcceptedRow } from "./wire-review.ts";

/** An invalid correction; `loc` is its location in the request. */
export class CorrectionRefused extends Error {
  override readonly name = "CorrectionRefused";
  readonly loc: readonly (string | number)[];
  constructor(loc: readonly (string | number)[], message: string) {
    super(message);
    this.loc = loc;
  }
}

/** The corrected report, and the aliases learned from the corrections. */
interface CorrectedReport {
  readonly data: ReportData;
  readonly aliases: readonly ReportAlias[];
}

/** Defaults of the fields that a reviewer does not enter for an added row. */
const addedRowDefaults = {
  sample_type: "unknown",
  measurement_kind: "unknown",
  source_panel_name: null,
  sensitivity: "unknown",
} as const;

/**
 * Applies a reviewer's corrections to a report. A corrected code teaches the test name as an alias, both as recognised,
 * since it is recognised so again, and as corrected.
 * @throws CorrectionRefused if a row or a code does not exist.
 */
export function correctReport(
  before: ReportData,
  { metadata, results }: Acceptance,
  codes: LoincSearch,
): CorrectedReport {
  const named = results.flatMap(({ from }) => from ?? []);
  const aliases = new Map<string, ReportAlias>();
  const rows = results.map((row, place) => {
    const read = row.from === null ? undefined : before.results[row.from];
    const isTwice = row.from !== null && named.indexOf(row.from) !== named.lastIndexOf(row.from);
    if (isTwice || (row.from !== null && !read)) throw new CorrectionRefused(["results", place, "from"], "No such row");
    const chosen = selectLoinc(row, read, codes);
    if (chosen === undefined) throw new CorrectionRefused(["results", place, "loinc_code"], "No such code");
    for (const alias of learnAliases(row, read, chosen)) aliases.set(foldAliasName(alias.name), alias);
    return correctRow(row, read, chosen);
  });
  return { data: { metadata, results: rows }, aliases: [...aliases.values()] };
}

/** The selected code: null for none, undefined if it does not exist. */
function selectLoinc({ loinc_code }: AcceptedRow, read: ReportResult | undefined, codes: LoincSearch) {
  if (loinc_code === null) return null;
  const candidate = read?.loinc_matches?.find((match) => match.loinc_code === loinc_code);
  return candidate ? { ...candidate, confidence_score: 1 } : codes.findByCode(loinc_code);
}

/** The aliases learned from a row; none if the code was certain before. */
function learnAliases(
  { test_name }: AcceptedRow,
  read: ReportResult | undefined,
  chosen: LoincMatch | null,
): ReportAlias[] {
  if (!chosen) return [];
  const isKnown =
    read?.loinc_match_status === "auto_match" && read.loinc_matches?.[0]?.loinc_code === chosen.loinc_code;
  if (isKnown && read.test_name === test_name) return [];
  return [...(read && !isKnown ? [read.test_name] : []), test_name].map((name) => ({ name, loinc: chosen.loinc_code }));
}

/** A comparator, and a number with commas between thousands or one before decimals (`1,250`, `4,2`). */
const NUMBER = /^([<>≤≥]?=?)\s*(-?\d+(?:(?:,\d{3})*(?:\.\d+)?|,\d{1,2}|,\d{4,}))$/;
const toNumber = (digits: string) =>
  Number(/,(?:\d{1,2}|\d{4,})$/.test(digits) ? digits.replace(",", ".") : digits.replaceAll(",", ""));

function correctRow(row: AcceptedRow, read: ReportResult | undefined, chosen: LoincMatch | null): ReportResult {
  const { test_name, value, units, min_reference_range, max_reference_range, interpretation } = row;
  const type = read && read.value === value ? read.type : NUMBER.test(value) ? "numeric" : "comment";
  return {
    ...(read ?? addedRowDefaults),
    ...{ test_name, value, units, min_reference_range, max_reference_range, interpretation, type },
    loinc_matches: chosen ? [chosen] : [],
    loinc_match_status: chosen ? "auto_match" : "no_match",
    ...positionOf(row, read),
  };
}

/**
 * The position of a corrected value in its range. An unchanged one keeps the position that the printed range gave. A
 * corrected range does not state whether it includes its bounds, so the reviewer's interpretation decides that.
 */
function positionOf(row: AcceptedRow, read: ReportResult | undefined) {
  const { value, min_reference_range: min, max_reference_range: max, interpretation } = row;
  const isSame = read?.value === value && read.min_reference_range === min && read.max_reference_range === max;
  if (isSame) {
    const { is_above_max_range, is_below_min_range } = read;
    return { is_above_max_range, is_below_min_range };
  }
  const [, sign = "", digits] = NUMBER.exec(value) ?? [];
  if (digits === undefined) return { is_above_max_range: null, is_below_min_range: null };
  const measured = { number: toNumber(digits), comparator: sign || null };
  const isOutside = interpretation === "abnormal" || interpretation === "critical";
  const { isAbove, isBelow } = compareWithRange(measured, { min, max, excludesMin: isOutside, excludesMax: isOutside });
  return { is_above_max_range: isAbove, is_below_min_range: isBelow };
}
