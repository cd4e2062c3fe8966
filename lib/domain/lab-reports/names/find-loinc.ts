import { type Dimension, dimensionOf, magnitudeOf } from "../row/report-units.ts";
import {
  diceSimilarity,
  findSampleType,
  foldConfusables,
  type SampleType,
  tokenizeName,
  toTrigrams,
} from "./fold-name.ts";
import { type KnownResult, nameKeys, type ReportCatalogue } from "./report-catalogue.ts";

/** A result of the catalogue that may match a row. `confidence` is 0 to 1. */
export interface LoincCandidate {
  readonly known: KnownResult;
  readonly confidence: number;
  /** Whether the name matches one of the result's names in all words and their order, rather than by similarity. */
  readonly isExact: boolean;
}

/** The parts of a row that identify its test. */
export interface RowEvidence {
  readonly name: string;
  readonly units: string | null;
  readonly panel: string | null;
  /** Whether the value is numeric. */
  readonly isNumber: boolean;
}

/** Minimum similarity of two names of the same test. */
const MIN_SIMILARITY = 0.6;
const MAX_CANDIDATES = 5;
/** Minimum confidence, and minimum lead over the next candidate, at which a code needs no review. */
const MIN_CONFIDENCE = 0.9;
const MIN_LEAD = 0.08;
/**
 * Maximum difference in powers of ten between the unit of a report and that of the catalogue: mg/L matches g/dL, but
 * ng/L does not.
 */
const MAX_MAGNITUDE_DIFFERENCE = 3;

/** Finds the results that may match a row, most likely first: by exact name, else by similar names. */
export function findLoincCandidates(catalogue: ReportCatalogue, row: RowEvidence): LoincCandidate[] {
  const words = tokenizeName(row.name);
  const keys = nameKeys(words);
  const learned = keys.map((key) => catalogue.learned.get(key)).find((known) => known !== undefined);
  if (learned) return [{ known: learned, confidence: 1, isExact: true }];
  const exact = [...new Set(keys.flatMap((key) => catalogue.byKey.get(key) ?? []))];
  const isWhole = (known: KnownResult) => keys.every((key) => catalogue.byKey.get(key)?.includes(known));
  const found =
    exact.length > 0
      ? exact.map((known) => ({ known, confidence: 1, isExact: isWhole(known) }))
      : findSimilarNames(catalogue, words);
  const sample = findSampleType(words) ?? sampleTypeOfPanel(row.panel) ?? onlySampleType(found);
  return found
    .map((one) => ({ ...one, confidence: one.confidence * agreementFactor(one.known, row, sample) }))
    .filter(({ confidence }) => confidence >= MIN_SIMILARITY * 0.7)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, MAX_CANDIDATES);
}

/** The sample type that all candidates share, unless it is blood: only urine has a `Nitrite`. */
function onlySampleType(found: readonly LoincCandidate[]): SampleType | null {
  const samples = new Set(found.map(({ known }) => known.sample));
  return samples.size === 1 && !samples.has("blood") ? (found[0]?.known.sample ?? null) : null;
}

/** Reports whether the first candidate is confident enough, and far enough ahead of the second, to need no review. */
export function isConfidentMatch([first, second]: readonly LoincCandidate[]): boolean {
  return (
    first !== undefined &&
    first.confidence >= MIN_CONFIDENCE &&
    first.confidence - (second?.confidence ?? 0) >= MIN_LEAD
  );
}

function findSimilarNames({ names }: ReportCatalogue, words: readonly string[]): LoincCandidate[] {
  const trigrams = toTrigrams(foldConfusables(words.join(" ")));
  const best = new Map<KnownResult, number>();
  for (const { known, trigrams: others } of names) {
    const score = diceSimilarity(trigrams, others);
    if (score >= MIN_SIMILARITY && score > (best.get(known) ?? 0)) best.set(known, score);
  }
  return [...best].map(([known, confidence]) => ({ known, confidence: confidence * 0.95, isExact: false }));
}

/**
 * The factor by which unit and sample type scale a candidate's confidence: 1 if both agree, much less if one
 * contradicts.
 */
function agreementFactor(known: KnownResult, { units, isNumber }: RowEvidence, sample: SampleType | null): number {
  return (
    sampleTypeFactor(known.sample, sample) *
    unitFactor(known, units === null ? null : dimensionOf(units), units, isNumber)
  );
}

function sampleTypeFactor(own: SampleType, printed: SampleType | null): number {
  if (printed === null) return own === "blood" || own === "other" ? 1 : 0.88;
  return own === printed ? 1 : own === "other" ? 0.95 : 0.5;
}

function unitFactor(known: KnownResult, printed: Dimension | null, units: string | null, isNumber: boolean): number {
  if (units === null) {
    if (known.dimension === null || known.dimension === "ratio") return 1;
    return isNumber ? 0.93 : known.sample === "urine" ? 0.97 : 0.7;
  }
  if (printed === null) return known.dimension === null ? 0.95 : 0.85;
  if (known.dimension === null) return isNumber ? 0.75 : 1;
  if (!isSameDimension(known.dimension, printed)) return 0.5;
  return Math.abs(magnitudeOf(units) - magnitudeOf(known.result.unit ?? units)) > MAX_MAGNITUDE_DIFFERENCE ? 0.85 : 1;
}

const isSameDimension = (one: Dimension, other: Dimension) =>
  one === other || (one.endsWith("ratio") && other.endsWith("ratio"));

/** The sample type that a panel heading names. Urine and stool panels do. */
export function sampleTypeOfPanel(panel: string | null): SampleType | null {
  if (panel === null) return null;
  if (/\burin/i.test(panel)) return "urine";
  const sample = findSampleType(tokenizeName(panel));
  return sample === "blood" ? null : sample;
}
