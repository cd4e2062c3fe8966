import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { nothing } from "../../lib/contract/parts.ts";
import { validateCodes, wireValidation } from "../../lib/domain/insurance/validate-codes.ts";
import { diagnoses } from "../../lib/runtime/diagnoses.ts";
import { implement } from "../../lib/runtime/implement.ts";

/** Checks the format of diagnosis codes, and whether the codes may appear together. */
export const contract = endpoint({
  operationId: "validateIcdCodes",
  method: "POST",
  path: "/v3/insurance/validate_icd_codes",
  tag: "insurance",
  summary: "Validate diagnosis codes",
  auth: "team",
  params: nothing,
  query: nothing,
  body: z.object({ codes: z.array(z.string().max(20)).max(100) }),
  response: wireValidation,
  access: [],
});

export const handler = implement(contract, async ({ body }) => validateCodes(body.codes, await diagnoses()));
