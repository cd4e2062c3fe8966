import type * as z from "zod";
import type { Catalogue } from "./catalogue.ts";
import { fnv1a } from "./fnv.ts";
import type { Marker } from "./marker.ts";
import { type canonicalCandidate, compendiumLabs, type perLabCandidate } from "./wire-compendium.ts";

/** Relation of two tests by the LOINC codes that they measure. */
export interface LoincRelation {
  readonly relation: "exact" | "superset" | "subset" | "overlap";
  /** Jaccard index of both sets of LOINC codes, 0 to 1. */
  readonly confidence: number;
}

/** Markers of the compared labs that measure the same set of LOINC codes. */
export interface LoincSet {
  readonly hash: string;
  /** Sorted. */
  readonly codes: readonly string[];
  readonly markers: readonly Marker[];
}

/** Jaccard index below which two tests count as unrelated. */
const MIN_SHARED_FRACTION = 0.2;
/** Confidence from which a test of one lab replaces a test of another. */
export const MIN_CONVERTIBLE_CONFIDENCE = 1;

const codesOf = ({ wire }: Marker): string[] =>
  [...new Set(wire.expected_results.map(({ loinc }) => loinc.code))].toSorted();

/** Hash that identifies a set of LOINC codes. */
export const loincSetHash = (codes: readonly string[]): string => fnv1a(codes.join(" ")).toString(16).padStart(16, "0");

/** Groups the markers of the compared labs by their set of LOINC codes, in catalogue order. Keys are set hashes. */
export function groupByLoincSet(catalogue: Catalogue): Map<string, LoincSet> {
  const labs: readonly string[] = compendiumLabs;
  const compared = catalogue.markers.filter(({ lab }) => labs.includes(lab.slug));
  const groups = Map.groupBy(compared, (marker) => loincSetHash(codesOf(marker)));
  return new Map(
    [...groups].map(([hash, markers]) => [hash, { hash, codes: markers[0] ? codesOf(markers[0]) : [], markers }]),
  );
}

/** Compares a test that measures `codes` with one that measures `wanted`; undefined if they are unrelated. */
export function compareLoincCodes(codes: readonly string[], wanted: readonly string[]): LoincRelation | undefined {
  const shared = codes.filter((code) => wanted.includes(code)).length;
  const confidence = shared / (codes.length + wanted.length - shared);
  if (confidence < MIN_SHARED_FRACTION) return undefined;
  const hasAll = shared === wanted.length;
  const isPart = shared === codes.length;
  const relation = hasAll ? (isPart ? "exact" : "superset") : isPart ? "subset" : "overlap";
  return { relation, confidence };
}

/** Finds the sets related to `wanted`, closest first. */
export function findRelatedSets(
  sets: ReadonlyMap<string, LoincSet>,
  wanted: readonly string[],
): { readonly set: LoincSet; readonly related: LoincRelation }[] {
  const found = [...sets.values()].flatMap((set) => {
    const related = compareLoincCodes(set.codes, wanted);
    return related ? { set, related } : [];
  });
  return found.sort((one, other) => other.related.confidence - one.related.confidence);
}

const popularity = (markers: readonly Marker[]): number =>
  new Set(markers.map(({ lab }) => lab.slug)).size / compendiumLabs.length;

const rounded = (share: number) => Math.round(share * 1_000) / 1_000;
const distinct = (texts: readonly string[]): string[] => [...new Set(texts)];
/** Takes the component from a LOINC long common name: the part before its property. */
const componentsOf = ({ wire }: Marker) =>
  distinct(wire.expected_results.map(({ loinc }) => loinc.name.split(/ \[| in | of /)[0] ?? loinc.name));

/** Converts a set of LOINC codes to a canonical candidate. */
export function toCanonicalCandidate(
  { hash, codes, markers }: LoincSet,
  confidence: number,
): z.input<typeof canonicalCandidate> {
  const [first] = markers;
  const names = distinct(markers.map(({ wire }) => wire.name));
  const also = first?.test.also.split(" ").filter((word) => word !== "") ?? [];
  return {
    loinc_set_hash: hash,
    display_name: names[0] ?? "",
    aliases: distinct([...names.slice(1), ...also]),
    loinc_codes: [...codes],
    provider_ids: distinct(markers.map(({ wire }) => wire.provider_id)),
    loinc_components: first ? componentsOf(first) : [],
    loinc_groups: distinct(markers.map(({ test }) => test.section)),
    cpt_codes: distinct(markers.flatMap(({ test }) => test.cpt_codes)),
    popularity_score: rounded(popularity(markers)),
    confidence: rounded(confidence),
  };
}

/** Lists a lab's markers among related sets, closest first. */
export function candidatesAtLab(
  lab: string,
  related: readonly { readonly set: LoincSet; readonly related: LoincRelation }[],
  limit: number,
): z.input<typeof perLabCandidate>[] {
  const found = related.flatMap(({ set, related: one }) =>
    set.markers.filter((marker) => marker.lab.slug === lab).map((marker) => toCandidate(marker, set, one)),
  );
  return found.slice(0, limit);
}

function toCandidate(
  marker: Marker,
  set: LoincSet,
  { relation, confidence }: LoincRelation,
): z.input<typeof perLabCandidate> {
  const { wire, lab, test } = marker;
  return {
    marker_id: wire.id,
    lab_id: lab.id,
    lab_slug: lab.slug,
    name: wire.name,
    result_names: wire.expected_results.map(({ name }) => name),
    provider_id: wire.provider_id,
    loinc_set_hash: set.hash,
    loinc_codes: [...set.codes],
    loinc_components: componentsOf(marker),
    loinc_groups: [test.section],
    cpt_codes: [...test.cpt_codes],
    relation,
    confidence: rounded(confidence),
    reason_codes: [`loinc_${relation}`],
    marker_popularity_score: rounded(popularity(set.markers)),
  };
}

/** Finds the markers with a test code at the compared labs other than the target lab. */
export function findSourceMarkers(catalogue: Catalogue, providerId: string, targetLab: string): Marker[] {
  const others: readonly string[] = compendiumLabs.filter((lab) => lab !== targetLab);
  return catalogue.markers.filter(({ wire, lab }) => wire.provider_id === providerId && others.includes(lab.slug));
}

/** Finds a target lab's candidates for a marker of another lab, closest first; empty for an unknown marker. */
export function findTargetCandidates(
  sets: ReadonlyMap<string, LoincSet>,
  source: Marker | undefined,
  target: { readonly lab: string; readonly limit: number },
): z.input<typeof perLabCandidate>[] {
  if (!source) return [];
  return candidatesAtLab(target.lab, findRelatedSets(sets, codesOf(source)), target.limit);
}
