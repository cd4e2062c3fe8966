import { findLoincCandidates, isConfidentMatch, type LoincCandidate, sampleTypeOfPanel } from "../names/find-loinc.ts";
import { findSampleType, type SampleType, tokenizeName } from "../names/fold-name.ts";
import type { ReportCatalogue } from "../names/report-catalogue.ts";
import type { ReportResult } from "../wire-parsing-job.ts";
import { interpretRow } from "./interpret-row.ts";
import type { PrintedRow } from "./row-parts.ts";

const MAX_ALIASES = 5;

/** The result of a row in the wire shape, with its candidates and their match status. */
export function toResult(row: PrintedRow, candidates: readonly LoincCandidate[]): ReportResult {
  const best = candidates[0]?.known;
  return {
    test_name: row.name,
    value: row.value.value,
    sample_type:
      sampleTypes[findSampleType(tokenizeName(row.name)) ?? sampleTypeOfPanel(row.panel) ?? best?.sample ?? "unknown"],
    measurement_kind: measurementKindOf(row.name, best?.result.loinc_name ?? ""),
    type: typeOf(row),
    units: row.units,
    // The wire has plain numbers only, and a titer is none.
    max_reference_range: row.range.isTiter ? null : row.range.max,
    min_reference_range: row.range.isTiter ? null : row.range.min,
    source_panel_name: row.panel,
    sensitivity: "unknown",
    loinc_matches: candidates.length === 0 ? null : candidates.map(toMatch),
    loinc_match_status:
      candidates.length === 0 ? "no_match" : isConfidentMatch(candidates) ? "auto_match" : "needs_review",
    ...interpretRow(row),
  };
}

/** The candidates of a row. */
export function findRowCandidates(row: PrintedRow, catalogue: ReportCatalogue): LoincCandidate[] {
  const isNumber = row.value.kind === "number" || row.value.kind === "span";
  return findLoincCandidates(catalogue, { name: row.name, units: row.units, panel: row.panel, isNumber });
}

const sampleTypes: Readonly<Record<SampleType | "unknown", ReportResult["sample_type"]>> = {
  blood: "serum_plasma_blood",
  urine: "urine",
  stool: "stool",
  saliva: "saliva",
  other: "other",
  unknown: "unknown",
};

/** Names of calculated results; `Calcium` and `Calcitonin` are none. */
const CALCULATED = /\bcalc(?:'?d|ulated|ulation)?\b|\bestimated\b|\begfr\b/i;

function measurementKindOf(name: string, loincName: string): ReportResult["measurement_kind"] {
  if (/\bratio\b/i.test(name) || /\[\w+ ratio\]/i.test(loincName)) return "ratio";
  if (CALCULATED.test(name) || /\bby calculation\b|formula/i.test(loincName)) return "calculated";
  return loincName === "" ? "unknown" : "direct";
}

/** Results that state presence or absence. */
const BOOLEAN =
  /^(?:(?:weakly |strongly )?(?:positive|negative|reactive|detected)|non[- ]?reactive|not detected|none detected|undetected|pos|neg)$/i;

function typeOf({ value }: PrintedRow): ReportResult["type"] {
  if (value.kind === "number") return "numeric";
  if (value.kind === "span") return "range";
  if (value.kind === "titer") return "ratio";
  return BOOLEAN.test(value.value) ? "boolean" : "comment";
}

function toMatch({ known, confidence }: LoincCandidate): NonNullable<ReportResult["loinc_matches"]>[number] {
  return {
    loinc_code: known.result.loinc,
    loinc_name: known.result.loinc_name,
    display_name: known.result.name,
    aliases: known.names.slice(1, 1 + MAX_ALIASES),
    confidence_score: Math.round(confidence * 1000) / 1000,
  };
}
