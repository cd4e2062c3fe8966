import * as z from "zod";
import { updateItem } from "../../lib/contract/access.ts";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { usage } from "../../lib/contract/resources.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { Answer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { issueToken, issueTokenAccess, TokenRefused } from "../../lib/services/fhir/smart/issue-token.ts";

export const contract = endpoint({
  operationId: "createFhirToken",
  method: "POST",
  path: "/fhir/auth/token",
  tag: "fhir",
  summary: "Create an access token of a SMART client",
  description: [
    "Issues an access token for the FHIR interface by SMART Backend Services, valid for 300 seconds.",
    "The form has `grant_type=client_credentials`, `scope`, `client_assertion_type` and `client_assertion`.",
    "The assertion is a JSON Web Token, signed by RS384 or ES384 with a key of the client. It works once.",
    "A refusal is an error of OAuth 2.0 in JSON, with `error` and `error_description`.",
  ],
  auth: "none",
  authenticatesItself: true,
  params: noFields,
  query: noFields,
  body: z.string().meta({ description: "A form of the parameters" }),
  mediaTypes: ["application/x-www-form-urlencoded"],
  response: z
    .object({ access_token: z.string(), token_type: z.literal("bearer"), expires_in: z.int(), scope: z.string() })
    .meta({ id: "FhirToken" }),
  access: [...issueTokenAccess, updateItem(usage)],
  maxBodyBytes: 16_384,
});

export const handler = implement(contract, async ({ body, log }, deps) => {
  try {
    return await issueToken(new URLSearchParams(body), deps, log);
  } catch (error) {
    if (!(error instanceof TokenRefused)) throw error;
    const text = JSON.stringify({ error: error.code, error_description: error.message });
    return new Answer(text, { status: error.code === "invalid_client" ? 401 : 400 });
  }
});
