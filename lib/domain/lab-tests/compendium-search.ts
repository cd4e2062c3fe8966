import type * as z from "zod";
import type { Catalogue } from "./catalogue.ts";
import {
  candidatesAtLab,
  findRelatedSets,
  groupByLoincSet,
  type LoincSet,
  loincSetHash,
  toCanonicalCandidate,
} from "./compendium.ts";
import { type canonicalCandidate, compendiumLabs, type perLab, type relatedCandidate } from "./wire-compendium.ts";

/** Query over the compendia of the compared labs. */
export interface CompendiumQuery {
  readonly mode: "canonical" | "crosswalk";
  readonly query?: string | null | undefined;
  readonly cpt_codes: readonly string[];
  readonly loinc_set_hash?: string | null | undefined;
  readonly labs?: readonly string[] | null | undefined;
  readonly include_related: boolean;
  readonly limit: number;
}

interface CompendiumAnswer {
  readonly mode: "canonical" | "crosswalk";
  readonly selected_canonical: z.input<typeof canonicalCandidate> | null;
  readonly canonical_candidates: z.input<typeof canonicalCandidate>[];
  readonly per_lab: z.input<typeof perLab>;
  readonly related: z.input<typeof relatedCandidate>[];
}

interface Candidate {
  readonly set: LoincSet;
  readonly confidence: number;
}

/** Finds matching tests. In `crosswalk` mode, also lists each lab's candidates for the best match. */
export function searchCompendium(catalogue: Catalogue, query: CompendiumQuery): CompendiumAnswer {
  const { mode, limit, include_related } = query;
  const sets = groupByLoincSet(catalogue);
  const found = findSets(catalogue, sets, query);
  const best = found[0];
  const canonical_candidates = found
    .slice(0, limit)
    .map(({ set, confidence }) => toCanonicalCandidate(set, confidence));
  const nothing = { mode, selected_canonical: null, canonical_candidates, per_lab: {}, related: [] };
  if (!best) return nothing;
  const near = findRelatedSets(sets, best.set.codes);
  const others = near.filter(({ set }) => set !== best.set).slice(0, limit);
  const related = others.map(({ set, related: { relation, confidence } }) => {
    const canonical = toCanonicalCandidate(set, confidence);
    return { canonical, relation, confidence: canonical.confidence, reason_codes: [`loinc_${relation}`] };
  });
  const answer = { ...nothing, related: include_related ? related : [] };
  if (mode === "canonical") return answer;
  const comparable = include_related ? near : near.filter(({ set }) => set === best.set);
  const labs = compendiumLabs.filter((lab) => !query.labs || query.labs.includes(lab));
  const per_lab = Object.fromEntries(labs.map((lab) => [lab, candidatesAtLab(lab, comparable, limit)]));
  return { ...answer, selected_canonical: toCanonicalCandidate(best.set, best.confidence), per_lab };
}

/** Finds the matching sets, best first. An exact match has confidence 1; a prefix or a typo lowers it. */
function findSets(catalogue: Catalogue, sets: ReadonlyMap<string, LoincSet>, asked: CompendiumQuery): Candidate[] {
  const isAsked = ({ markers }: LoincSet) => !asked.labs || markers.some(({ lab }) => asked.labs?.includes(lab.slug));
  if (asked.loinc_set_hash) {
    const set = sets.get(asked.loinc_set_hash);
    return set && isAsked(set) ? [{ set, confidence: 1 }] : [];
  }
  const hits = asked.query?.trim() ? catalogue.search(asked.query) : [];
  const byName = hits.map(({ marker, fit }) => {
    const codes = marker.wire.expected_results.map(({ loinc }) => loinc.code);
    return { hash: loincSetHash([...new Set(codes)].toSorted()), confidence: 1 / (1 + fit / 4) };
  });
  const byCpt = [...sets.values()].filter(({ markers }) =>
    markers.some(({ test }) => test.cpt_codes.some((code) => asked.cpt_codes.includes(code))),
  );
  const ranked = [...byCpt.map(({ hash }) => ({ hash, confidence: 1 })), ...byName];
  const best = new Map<string, number>();
  for (const { hash, confidence } of ranked) best.set(hash, Math.max(best.get(hash) ?? 0, confidence));
  return [...best].flatMap(([hash, confidence]) => {
    const set = sets.get(hash);
    return set && isAsked(set) ? { set, confidence } : [];
  });
}
