import type * as z from "zod";
import type { Catalogue } from "./catalogue.ts";
import { findSourceMarkers, findTargetCandidates, groupByLoincSet, MIN_CONVERTIBLE_CONFIDENCE } from "./compendium.ts";
import { findLab } from "./labs.ts";
import type { perLabCandidate } from "./wire-compendium.ts";

/** Test codes to convert, and their lab if it is known. */
export interface ConversionSource {
  readonly lab?: string;
  readonly codes: readonly string[];
}

interface Conversion {
  readonly source_lab_id: number | null;
  readonly target_lab_id: number;
  readonly target_lab_slug: string;
  readonly source_provider_ids: string[];
  readonly converted_provider_ids: string[];
  readonly unresolved_provider_ids: string[];
  readonly by_source_provider_id: Record<
    string,
    { source_provider_id: string; candidates: z.input<typeof perLabCandidate>[] }
  >;
}

/**
 * Converts test codes to a target lab. A code is converted if a test of the target lab measures the same LOINC codes.
 * Without a lab, a code of the target lab stands for itself.
 */
export function convertCompendium(
  catalogue: Catalogue,
  { lab, codes }: ConversionSource,
  target: { readonly lab: string; readonly limit: number },
): Conversion {
  const sets = groupByLoincSet(catalogue);
  const source_provider_ids = [...new Set(codes)];
  const rows = source_provider_ids.map((code) => {
    const markerAt = (slug: string) => catalogue.findByCode(findLab(slug)?.id ?? 0, code);
    const source = lab ? markerAt(lab) : (markerAt(target.lab) ?? findSourceMarkers(catalogue, code, target.lab)[0]);
    const candidates = findTargetCandidates(sets, source, target);
    return {
      code,
      source,
      candidates,
      converted: candidates.find(({ confidence }) => confidence >= MIN_CONVERTIBLE_CONFIDENCE),
    };
  });
  const labIds = [...new Set(rows.flatMap(({ source }) => source?.lab.id ?? []))];
  return {
    source_lab_id: labIds.length === 1 ? (labIds[0] ?? null) : null,
    target_lab_id: findLab(target.lab)?.id ?? 0,
    target_lab_slug: target.lab,
    source_provider_ids,
    converted_provider_ids: [...new Set(rows.flatMap(({ converted }) => converted?.provider_id ?? []))],
    unresolved_provider_ids: rows.filter(({ converted }) => !converted).map(({ code }) => code),
    by_source_provider_id: Object.fromEntries(
      rows.map(({ code, candidates }) => [code, { source_provider_id: code, candidates }]),
    ),
  };
}
