import { foldLookalikes, likeness, nameWords, type Sample, sampleIn, trigramsOf } from "./fold-name.ts";
import { type KnownResult, keysOf, type ReportCatalogue } from "./report-catalogue.ts";
import { type Dimension, dimensionOf, magnitudeOf } from "./report-units.ts";

/** A result of the catalogue that a row may be of, and how sure that is: 0 to 1. */
export interface Candidate {
  readonly known: KnownResult;
  readonly confidence: number;
  /** Whether the name is one of the result's own in all its words and their order, and not only like one. */
  readonly isExact: boolean;
}

/** What of a row tells which test it is. */
export interface RowEvidence {
  readonly name: string;
  readonly units: string | null;
  readonly panel: string | null;
  /** Whether the value is a number. */
  readonly isNumber: boolean;
}

/** Names that are less alike than this are of different tests. */
const LEAST_LIKENESS = 0.6;
const MOST_CANDIDATES = 5;
/** From which confidence on, and how far before the next, a code is taken without a person. */
const SURE = 0.9;
const AHEAD = 0.08;
/** By how many powers of ten the unit of a report may differ from the catalogue's: mg/L from g/dL, but not from ng/L. */
const FARTHEST = 3;

/** The results that a row may be of, the likeliest first: by exact names, else by names that are alike. */
export function findCandidates(catalogue: ReportCatalogue, row: RowEvidence): Candidate[] {
  const words = nameWords(row.name);
  const keys = keysOf(words);
  const learned = keys.map((key) => catalogue.learned.get(key)).find((known) => known !== undefined);
  if (learned) return [{ known: learned, confidence: 1, isExact: true }];
  const exact = [...new Set(keys.flatMap((key) => catalogue.byKey.get(key) ?? []))];
  const isWhole = (known: KnownResult) => keys.every((key) => catalogue.byKey.get(key)?.includes(known));
  const found =
    exact.length > 0
      ? exact.map((known) => ({ known, confidence: 1, isExact: isWhole(known) }))
      : alike(catalogue, words);
  const sample = sampleIn(words) ?? sampleOfPanel(row.panel) ?? onlySample(found);
  return found
    .map((one) => ({ ...one, confidence: one.confidence * agreement(one.known, row, sample) }))
    .filter(({ confidence }) => confidence >= LEAST_LIKENESS * 0.7)
    .toSorted((a, b) => b.confidence - a.confidence)
    .slice(0, MOST_CANDIDATES);
}

/** The sample of results none of which is of blood: there is no other `Nitrite`. */
function onlySample(found: readonly Candidate[]): Sample | null {
  const samples = new Set(found.map(({ known }) => known.sample));
  return samples.size === 1 && !samples.has("blood") ? (found[0]?.known.sample ?? null) : null;
}

/** Whether the first candidate is sure enough, and far enough before the second, to be taken without a person. */
export function isSure([first, second]: readonly Candidate[]): boolean {
  return first !== undefined && first.confidence >= SURE && first.confidence - (second?.confidence ?? 0) >= AHEAD;
}

function alike({ names }: ReportCatalogue, words: readonly string[]): Candidate[] {
  const trigrams = trigramsOf(foldLookalikes(words.join(" ")));
  const best = new Map<KnownResult, number>();
  for (const { known, trigrams: others } of names) {
    const score = likeness(trigrams, others);
    if (score >= LEAST_LIKENESS && score > (best.get(known) ?? 0)) best.set(known, score);
  }
  return [...best].map(([known, confidence]) => ({ known, confidence: confidence * 0.95, isExact: false }));
}

/** What unit and sample say of a candidate: 1 when both agree, much less where one speaks against it. */
function agreement(known: KnownResult, { units, isNumber }: RowEvidence, sample: Sample | null): number {
  return bySample(known.sample, sample) * byUnit(known, units === null ? null : dimensionOf(units), units, isNumber);
}

function bySample(own: Sample, printed: Sample | null): number {
  if (printed === null) return own === "blood" || own === "other" ? 1 : 0.88;
  return own === printed ? 1 : own === "other" ? 0.95 : 0.5;
}

function byUnit(known: KnownResult, printed: Dimension | null, units: string | null, isNumber: boolean): number {
  if (units === null) {
    if (known.dimension === null || known.dimension === "ratio") return 1;
    return isNumber ? 0.93 : known.sample === "urine" ? 0.97 : 0.7;
  }
  if (printed === null) return known.dimension === null ? 0.95 : 0.85;
  if (known.dimension === null) return isNumber ? 0.75 : 1;
  if (!areOneKind(known.dimension, printed)) return 0.5;
  return Math.abs(magnitudeOf(units) - magnitudeOf(known.result.unit ?? units)) > FARTHEST ? 0.85 : 1;
}

const areOneKind = (one: Dimension, other: Dimension) =>
  one === other || (one.endsWith("ratio") && other.endsWith("ratio"));

/** Panels of urine and stool say so in their heading. */
export function sampleOfPanel(panel: string | null): Sample | null {
  if (panel === null) return null;
  if (/\burin/i.test(panel)) return "urine";
  const sample = sampleIn(nameWords(panel));
  return sample === "blood" ? null : sample;
}
