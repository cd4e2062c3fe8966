import { endpoint } from "../../lib/contract/endpoint.ts";
import { noFields } from "../../lib/contract/shared-schemas.ts";
import { toCapabilityStatement, wireCapabilityStatement } from "../../lib/domain/fhir/capability-statement.ts";
import { fhirAnswer } from "../../lib/runtime/http/answer.ts";
import { implement } from "../../lib/runtime/implement.ts";
import { fhirUrl } from "../../lib/services/fhir/search-call.ts";

export const contract = endpoint({
  operationId: "getFhirCapabilities",
  method: "GET",
  path: "/fhir/metadata",
  tag: "fhir",
  summary: "Retrieve the CapabilityStatement",
  description: [
    "Returns which FHIR R4 resources, interactions and search parameters this service has.",
    "It needs no key.",
  ],
  auth: "none",
  params: noFields,
  query: noFields,
  response: wireCapabilityStatement,
  access: [],
});

export const handler = implement(contract, async () => fhirAnswer(toCapabilityStatement(fhirUrl())));
