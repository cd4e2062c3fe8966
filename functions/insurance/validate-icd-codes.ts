import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import {
  validateDiagnosisCodes,
  wireDiagnosisValidation,
} from "../../lib/domain/insurance/validate-diagnosis-codes.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { loadDiagnoses } from "../../lib/services/insurance/diagnoses.ts";

export const contract = endpoint({
  operationId: "validateIcdCodes",
  method: "POST",
  path: "/v3/insurance/validate_icd_codes",
  tag: "insurance",
  summary: "Validate diagnosis codes",
  description: [
    "Checks up to 100 diagnosis codes before an order: their form, and which of them may appear together.",
    "A problem is no error of the request: the status is 200, and `valid` is false.",
    "`errors` names each code by its place, such as `codes[0]`, with a wrong form or of a whole category.",
    "`violations` are pairs that must not appear together. `warnings` are pairs that need not, and leave `valid` true.",
    "Codes that the service does not know pass, unless the operator has installed a full release.",
    "Orders check only the form of their codes.",
  ],
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
