import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { diagnoses } from "../../lib/runtime/diagnoses.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Searches the loaded diagnosis codes by code prefix or by words of the description. */
export const contract = endpoint({
  operationId: "searchDiagnosis",
  method: "GET",
  path: "/v3/insurance/search/diagnosis",
  tag: "insurance",
  summary: "Search diagnosis codes",
  auth: "team",
  params: nothing,
  query: z.object({ diagnosis_query: z.string().trim().min(1).max(200) }),
  response: z.array(
    z
      .object({ diagnosis_code: z.string(), description: z.string(), is_secondary: z.boolean() })
      .meta({ id: "Diagnosis" }),
  ),
  access: [],
});

export const handler = implement(contract, async ({ query }) => (await diagnoses()).search(query.diagnosis_query));
