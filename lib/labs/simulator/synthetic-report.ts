import { fnv1a } from "../../domain/lab-tests/fnv.ts";
import type { Interpretation } from "../../domain/results/interpretation.ts";
import type { LabReport, Observation } from "../../domain/results/lab-report.ts";
import {
  findRangeFor,
  parseReferenceRanges,
  type ReferenceRange,
  type TestedPerson,
} from "../../domain/results/reference-range.ts";
import type { SimulatedMarker, SimulatedReport, SimulationFlags } from "../../domain/results/simulated-report.ts";
import type { ResultType } from "../../domain/results/wire-result.ts";
import { DEFAULT_RANGE, typicalRanges } from "./typical-ranges.ts";

/**
 * Generates a synthetic report, deterministic by order. The first value has the requested interpretation; all others
 * are normal. With missing results, the last value is one that the laboratory could not measure.
 */
export function syntheticReport(of: SimulatedReport, flags: SimulationFlags): LabReport {
  const { markers, person, ...about } = of;
  const { status } = about;
  const observations = markers.map((marker, index): Observation => {
    const isMissing = flags.has_missing_results === true && index === markers.length - 1;
    if (isMissing) return missingObservation(marker);
    const wanted = index === 0 || flags.interpretation === "unknown" ? flags.interpretation : "normal";
    const types = flags.result_types ?? [];
    const type = types[index % types.length] ?? (marker.unit === null ? "coded_value" : "numeric");
    const state = status === "corrected" ? status : "final";
    return {
      ...syntheticObservation(
        marker,
        type,
        wanted,
        person,
        randomFromText(`${of.requisition} ${marker.test_code} ${marker.loinc}`),
      ),
      status: state,
    };
  });
  return {
    ...about,
    report_id: `${of.requisition}-${of.status}`,
    received_at: of.collected_at,
    clia_number: "00D0000000",
    laboratory_name: "Simulated laboratory",
    observations,
  };
}

const markerFields = ({ test_code, name, loinc, unit }: SimulatedMarker) => ({
  code: loinc ?? test_code,
  loinc,
  name,
  test_code,
  unit,
  performing_laboratory: "Simulated laboratory",
});

function missingObservation(marker: SimulatedMarker): Observation {
  const note = "Test not performed: quantity not sufficient";
  return {
    ...markerFields(marker),
    type: "comment",
    value: "",
    reference_range: null,
    flag: "",
    status: "cancelled",
    note,
  };
}

const outsideFlags: Readonly<Record<Interpretation, { readonly number: string; readonly words: string }>> = {
  normal: { number: "N", words: "N" },
  abnormal: { number: "H", words: "A" },
  critical: { number: "HH", words: "AA" },
  unknown: { number: "", words: "" },
};

function syntheticObservation(
  marker: SimulatedMarker,
  type: ResultType,
  wanted: Interpretation,
  person: TestedPerson,
  random: number,
): Observation {
  const base = { ...markerFields(marker), status: "final", note: null } as const;
  const isWords = type === "coded_value" || type === "comment";
  const flag = outsideFlags[wanted][isWords ? "words" : "number"];
  if (isWords) return { ...base, type, unit: null, flag, ...qualitativeValue(type, wanted) };
  const printed = typicalRanges[marker.loinc ?? ""] ?? DEFAULT_RANGE;
  const range =
    findRangeFor(parseReferenceRanges(printed), person) ?? findRangeFor(parseReferenceRanges(DEFAULT_RANGE), person);
  const number = numericValue(range, wanted, random);
  const isLow = wanted !== "normal" && range?.max === null;
  const reference_range = wanted === "unknown" ? null : printed;
  return {
    ...base,
    type,
    value: type === "range" ? `${wanted === "normal" || isLow ? "<" : ">"}${number}` : String(number),
    flag: isLow ? flag.replaceAll("H", "L") : flag,
    reference_range,
  };
}

function qualitativeValue(type: ResultType, wanted: Interpretation) {
  if (wanted === "unknown") return { value: "See comment", reference_range: null };
  const usual = type === "comment" ? "No abnormality seen" : "Not detected";
  const other = type === "comment" ? "Abnormality seen" : "Detected";
  return { value: wanted === "normal" ? usual : other, reference_range: usual };
}

/**
 * A number inside the range, a quarter of its width above it, or twice its upper bound; below the range if it has no
 * upper bound.
 */
function numericValue(range: ReferenceRange | undefined, wanted: Interpretation, random: number): number {
  const min = range?.min ?? 0;
  const max = range?.max ?? min * 2;
  const decimals = max < 10 ? 2 : max < 100 ? 1 : 0;
  const rounded = (value: number) => Number(value.toFixed(decimals));
  if (wanted === "normal" || wanted === "unknown") return rounded(min + (max - min) * (0.25 + random / 2));
  if (range?.max === null) return rounded(min * (wanted === "critical" ? 0.25 : 0.75));
  return rounded(wanted === "critical" ? max * 2 : max + Math.max((max - min) / 4, 0.02));
}

/** A number in [0, 1), derived from a text. */
const randomFromText = (text: string): number => Number(fnv1a(text) % 1_000n) / 1_000;
