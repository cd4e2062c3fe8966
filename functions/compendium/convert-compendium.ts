import * as z from "zod";
import { getItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { labTests } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { convertCompendium } from "../../lib/domain/lab-tests/compendium-conversion.ts";
import { compendiumLabs, perLabCandidate } from "../../lib/domain/lab-tests/wire-compendium.ts";
import { NotFound, ValidationFailed } from "../../lib/runtime/errors.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadLabCatalogue } from "../../lib/services/lab-tests/lab-catalogue.ts";
import { requireLabTest } from "../../lib/services/lab-tests/lab-tests.ts";

export const contract = endpoint({
  operationId: "convertCompendium",
  method: "POST",
  path: "/v3/compendium/convert",
  tag: "compendium",
  summary: "Convert tests to those of another lab",
  description: [
    "Converts a lab test of the team, or test codes of a lab, to the test codes of another lab.",
    "Call it when you move a lab test to another laboratory, then create the new lab test from the converted codes.",
    "A code is converted if the target lab offers a test that measures exactly the same LOINC codes.",
    "All others are in `unresolved_provider_ids`; their candidates, closest first, are in `by_source_provider_id`.",
    "Candidates share at least 20 % of the LOINC codes, and `limit` (3 by default, at most 20) bounds them per code.",
    "Give either `lab_test_id` or up to 200 `provider_ids`; repeated codes count once.",
    "A code of the target lab converts to itself; any other belongs to the first of the other compared labs that has it.",
    "`source_lab_id` is null if the codes belong to several labs or to none.",
  ],
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({
    lab_test_id: z.guid().toLowerCase().nullish(),
    provider_ids: z.array(z.string().min(1).max(40)).min(1).max(200).nullish(),
    target_lab: z.enum(compendiumLabs),
    limit: z.int().min(1).max(20).default(3).describe("Candidates per test code"),
  }),
  response: z
    .object({
      source_lab_test_id: z.guid().nullable(),
      source_lab_id: z.int().nullable(),
      target_lab_id: z.int(),
      target_lab_slug: z.string(),
      source_provider_ids: z.array(z.string()),
      converted_provider_ids: z.array(z.string()),
      unresolved_provider_ids: z.array(z.string()),
      by_source_provider_id: z.record(
        z.string(),
        z.object({ source_provider_id: z.string(), candidates: z.array(perLabCandidate) }),
      ),
    })
    .meta({ id: "CompendiumConversion" }),
  errors: [NotFound],
  access: [getItem(labTests)],
});

export const handler = implement(contract, async ({ scope, body }, { labTests }) => {
  const { lab_test_id, provider_ids, target_lab, limit } = body;
  if ((lab_test_id == null) === (provider_ids == null)) {
    throw ValidationFailed.at(["body", "lab_test_id"], "Give either lab_test_id or provider_ids");
  }
  const test = lab_test_id ? await requireLabTest(labTests, scope, lab_test_id) : undefined;
  const source = test ? { lab: test.lab, codes: test.provider_ids } : { codes: provider_ids ?? [] };
  const converted = convertCompendium(await loadLabCatalogue(), source, { lab: target_lab, limit });
  return { source_lab_test_id: test?.lab_test_id ?? null, ...converted };
});
