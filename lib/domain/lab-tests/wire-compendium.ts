import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";

/** Labs with compared compendia. */
export const compendiumLabs = ["labcorp", "quest", "bioreference", "sonora_quest"] as const;

const codes = z.array(z.string());
/** Relation of two tests by the LOINC codes that they measure. */
const relation = openEnum(["exact", "superset", "subset", "overlap"]);

/** Test that several labs may offer, identified by its set of LOINC codes. */
export const canonicalCandidate = z
  .object({
    loinc_set_hash: z.string().describe("Hash of the set of LOINC codes"),
    display_name: z.string(),
    aliases: codes,
    loinc_codes: codes,
    provider_ids: codes,
    loinc_components: codes.describe("Measured components, as named by LOINC"),
    loinc_groups: codes.describe("Sections of the catalogue"),
    cpt_codes: codes,
    popularity_score: z.number().describe("Share of the compared labs that offer the test"),
    confidence: z.number(),
  })
  .meta({ id: "CanonicalCandidate" });

/** Test of one lab, compared with the requested test. */
export const perLabCandidate = z
  .object({
    marker_id: z.int(),
    lab_id: z.int(),
    lab_slug: z.string(),
    name: z.string(),
    result_names: codes,
    provider_id: z.string(),
    loinc_set_hash: z.string(),
    loinc_codes: codes,
    loinc_components: codes,
    loinc_groups: codes,
    cpt_codes: codes,
    relation,
    confidence: z.number().describe("Share of common LOINC codes among the codes of either test"),
    reason_codes: codes,
    marker_popularity_score: z.number(),
  })
  .meta({ id: "PerLabCandidate" });

/** Test that shares LOINC codes with the selected test. */
export const relatedCandidate = z
  .object({ canonical: canonicalCandidate, relation, confidence: z.number(), reason_codes: codes })
  .meta({ id: "RelatedCandidate" });

/** Candidates by lab slug. */
export const perLab = z.record(z.string(), z.array(perLabCandidate));
