import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadDiagnoses } from "../../lib/services/insurance/diagnoses.ts";

export const contract = endpoint({
  operationId: "searchDiagnosis",
  method: "GET",
  path: "/v3/insurance/search/diagnosis",
  tag: "insurance",
  summary: "Search diagnosis codes",
  description: [
    "Searches ICD-10-CM codes by the beginning of a code or of words of the description, in any order.",
    "Each word may have one typo. The response has at most 50 codes, best match first.",
    "The dot of a code is optional, and responses contain it.",
    "`is_secondary` marks codes that are never the first diagnosis.",
    "The service includes 349 codes for laboratory tests, unless the operator has installed a full release.",
  ],
  auth: "team",
  params: noFields,
  query: z.object({ diagnosis_query: z.string().trim().min(1).max(200).describe("Beginnings of a code or of words") }),
  response: z.array(
    z
      .object({ diagnosis_code: z.string(), description: z.string(), is_secondary: z.boolean() })
      .meta({ id: "Diagnosis" }),
  ),
  access: [],
});

export const handler = implement(contract, async ({ query }) => (await loadDiagnoses()).search(query.diagnosis_query));
