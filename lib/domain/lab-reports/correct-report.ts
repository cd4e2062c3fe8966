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

const isNumber = (value: string) => /^[<>]?=?\s*-?\d[\d,]*(\.\d+)?$/.test(value);

function correctRow(row: AcceptedRow, read: ReportResult | undefined, chosen: LoincMatch | null): ReportResult {
  const { test_name, value, units, min_reference_range, max_reference_range, interpretation } = row;
  const type = read && read.value === value ? read.type : isNumber(value) ? "numeric" : "comment";
  const number = isNumber(value) ? Number(value.replaceAll(/[<>=,\s]/g, "")) : null;
  const isBeyond = (bound: number | null, is: (number: number, bound: number) => boolean) =>
    number === null || bound === null ? null : is(number, bound);
  return {
    ...(read ?? addedRowDefaults),
    ...{ test_name, value, units, min_reference_range, max_reference_range, interpretation, type },
    loinc_matches: chosen ? [chosen] : [],
    loinc_match_status: chosen ? "auto_match" : "no_match",
    is_above_max_range: isBeyond(max_reference_range, (one, bound) => one > bound),
    is_below_min_range: isBeyond(min_reference_range, (one, bound) => one < bound),
  };
}
