import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";

/** Labs whose compendia are compared. */
export const compendiumLabs = ["labcorp", "quest", "bioreference", "sonora_quest"] as const;

const codes = z.array(z.string());
/** How a test stands to another by what both measure. */
const relation = openEnum(["exact", "superset", "subset", "overlap"]);

/** A test that labs have in common: the same set of LOINC codes. */
export const canonicalCandidate = z
  .object({
    loinc_set_hash: z.string().describe("Stands for the set of LOINC codes"),
    display_name: z.string(),
    aliases: codes,
    loinc_codes: codes,
    provider_ids: codes,
    loinc_components: codes.describe("What is measured, as LOINC names it"),
    loinc_groups: codes.describe("Sections of the catalogue"),
    cpt_codes: codes,
    popularity_score: z.number().describe("Share of the compared labs that offer it"),
    confidence: z.number(),
  })
  .meta({ id: "CanonicalCandidate" });

/** A test of one lab beside the one that was looked for. */
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
    confidence: z.number().describe("Share of what both measure in what either measures"),
    reason_codes: codes,
    marker_popularity_score: z.number(),
  })
  .meta({ id: "PerLabCandidate" });

/** A test that shares some of what another measures. */
export const relatedCandidate = z
  .object({ canonical: canonicalCandidate, relation, confidence: z.number(), reason_codes: codes })
  .meta({ id: "RelatedCandidate" });

/** Candidates at each lab, by its slug. */
export const perLab = z.record(z.string(), z.array(perLabCandidate));
