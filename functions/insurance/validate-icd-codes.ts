import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  validateDiagnosisCodes,
  wireDiagnosisValidation,
} from "../../lib/domain/insurance/validate-diagnosis-codes.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadDiagnoses } from "../../lib/services/insurance/diagnoses.ts";

/** Checks the format of diagnosis codes, and whether the codes may appear together. */
export const contract = endpoint({
  operationId: "validateIcdCodes",
  method: "POST",
  path: "/v3/insurance/validate_icd_codes",
  tag: "insurance",
  summary: "Validate diagnosis codes",
  auth: "team",
  params: noFields,
  query: noFields,
  body: z.object({ codes: z.array(z.string().max(20)).max(100) }),
  response: wireDiagnosisValidation,
  access: [],
});

export const handler = implement(contract, async ({ body }) =>
  validateDiagnosisCodes(body.codes, await loadDiagnoses()),
);
