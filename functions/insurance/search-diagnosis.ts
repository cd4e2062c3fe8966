import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadDiagnoses } from "../../lib/services/insurance/diagnoses.ts";

/** Searches the loaded diagnosis codes by code prefix or by words of the description. */
export const contract = endpoint({
  operationId: "searchDiagnosis",
  method: "GET",
  path: "/v3/insurance/search/diagnosis",
  tag: "insurance",
  summary: "Search diagnosis codes",
  auth: "team",
  params: noFields,
  query: z.object({ diagnosis_query: z.string().trim().min(1).max(200) }),
  response: z.array(
    z
      .object({ diagnosis_code: z.string(), description: z.string(), is_secondary: z.boolean() })
      .meta({ id: "Diagnosis" }),
  ),
  access: [],
});

export const handler = implement(contract, async ({ query }) => (await loadDiagnoses()).search(query.diagnosis_query));
