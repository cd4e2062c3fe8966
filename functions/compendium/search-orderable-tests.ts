import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { findSourceMarkers, findTargetCandidates, groupByLoincSet } from "../../lib/domain/lab-tests/compendium.ts";
import { compendiumLabs, perLabCandidate } from "../../lib/domain/lab-tests/wire-compendium.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";

export const contract = endpoint({
  operationId: "searchOrderableTests",
  method: "POST",
  path: "/v3/compendium/search_orderable_tests",
  tag: "compendium",
  summary: "Search equivalent tests of a lab",
  description: [
    "Finds the tests of one lab that correspond to up to 100 test codes of other labs.",
    "`candidates` has one entry per code, closest first, with 1 candidate by default and at most 20.",
    "A code that no other compared lab has gets an empty list, not an error.",
    "Candidates share at least 20 % of the LOINC codes: look at `relation`, and take only `exact` for an equal test.",
    "For a whole lab test, use `POST /v3/compendium/convert` instead.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    provider_ids: z.array(z.string().min(1).max(40)).max(100),
    target_lab: z.enum(compendiumLabs),
    per_provider_limit: z.int().min(1).max(20).default(1).describe("Candidates per test code"),
  }),
  response: z.object({ candidates: z.record(z.string(), z.array(perLabCandidate)) }).meta({ id: "OrderableTests" }),
  access: [],
});

export const handler = implement(contract, async ({ body }) => {
  const catalogue = await loadLabCatalogue();
  const sets = groupByLoincSet(catalogue);
  const target = { lab: body.target_lab, limit: body.per_provider_limit };
  const candidates = body.provider_ids.map((code) => {
    const [source] = findSourceMarkers(catalogue, code, body.target_lab);
    return [code, findTargetCandidates(sets, source, target)] as const;
  });
  return { candidates: Object.fromEntries(candidates) };
});
