import * as z from "zod";
import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { patientTypes } from "../../lib/domain/fhir/search-query.ts";
import { assertionAlgorithms } from "../../lib/domain/fhir/smart/fhir-client.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { tokenUrl } from "../../lib/services/fhir/smart/token-url.ts";

const texts = z.array(z.string());

export const contract = endpoint({
  operationId: "getSmartConfiguration",
  method: "GET",
  path: "/fhir/.well-known/smart-configuration",
  tag: "fhir",
  summary: "Retrieve the SMART configuration",
  description: [
    "Returns where and how a backend service gets an access token (SMART App Launch 2.2). It needs no key.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: z
    .object({
      token_endpoint: z.string(),
      grant_types_supported: texts,
      token_endpoint_auth_methods_supported: texts,
      token_endpoint_auth_signing_alg_values_supported: texts,
      scopes_supported: texts,
      capabilities: texts,
    })
    .meta({ id: "SmartConfiguration" }),
  access: [],
});

export const handler = implement(contract, async () => ({
  token_endpoint: tokenUrl(),
  grant_types_supported: ["client_credentials"],
  token_endpoint_auth_methods_supported: ["private_key_jwt"],
  token_endpoint_auth_signing_alg_values_supported: [...assertionAlgorithms],
  scopes_supported: ["*", ...patientTypes].map((type) => `system/${type}.rs`),
  capabilities: ["client-confidential-asymmetric", "permission-v1", "permission-v2"],
}));
