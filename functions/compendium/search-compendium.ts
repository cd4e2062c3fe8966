import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { searchCompendium } from "../../lib/domain/lab-tests/compendium-search.ts";
import {
  canonicalCandidate,
  compendiumLabs,
  perLab,
  relatedCandidate,
} from "../../lib/domain/lab-tests/wire-compendium.ts";
import { ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";

const modes = ["canonical", "crosswalk"] as const;

export const contract = endpoint({
  operationId: "searchCompendium",
  method: "POST",
  path: "/v3/compendium/search",
  tag: "compendium",
  summary: "Search tests across labs",
  description: [
    "Searches the tests of the compared labs by name or test code, by CPT codes, or by a LOINC set.",
    "A canonical candidate groups all tests that measure the same LOINC codes, at whichever lab.",
    "With `mode` `crosswalk`, `per_lab` also lists what each lab offers for the best match, closest first.",
    "`limit` (3 by default, at most 50) bounds each list. `related` lists tests that share 20 % of the codes or more.",
    "An exact match has the `confidence` 1, and a prefix or a typo lowers it.",
    "`loinc_set_hash` takes precedence over the other criteria. Nothing found is an empty list, not an error.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    mode: z.enum(modes),
    query: z.string().max(200).nullish(),
    cpt_codes: z.array(z.string().max(10)).max(50).default([]),
    loinc_set_hash: z.string().max(64).nullish().describe("From an earlier candidate"),
    labs: z.array(z.enum(compendiumLabs)).max(20).nullish().describe("Default: all compared labs"),
    include_related: z.boolean().default(true),
    limit: z.int().min(1).max(50).default(3),
  }),
  response: z
    .object({
      mode: z.enum(modes),
      selected_canonical: canonicalCandidate.nullable(),
      canonical_candidates: z.array(canonicalCandidate),
      per_lab: perLab,
      related: z.array(relatedCandidate),
    })
    .meta({ id: "CompendiumSearch" }),
  access: [],
});

export const handler = implement(contract, async ({ body }) => {
  if (!body.query?.trim() && !body.loinc_set_hash && body.cpt_codes.length === 0) {
    throw ValidationFailed.at(["body", "query"], "Give a query, cpt_codes or a loinc_set_hash");
  }
  return searchCompendium(await loadLabCatalogue(), body);
});
