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

/**
 * Searches tests by name, code or LOINC set. In crosswalk mode, returns the equivalent tests of each lab for one test.
 */
export const contract = endpoint({
  operationId: "searchCompendium",
  method: "POST",
  path: "/v3/compendium/search",
  tag: "compendium",
  summary: "Search tests across labs",
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    mode: z.enum(modes),
    query: z.string().max(200).nullish(),
    cpt_codes: z.array(z.string().max(10)).max(50).default([]),
    loinc_set_hash: z.string().max(64).nullish(),
    labs: z.array(z.enum(compendiumLabs)).max(20).nullish(),
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
