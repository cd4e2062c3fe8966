import * as z from "zod";
import { observationQuery, patientQuery } from "./search-query.ts";

/** FHIR version of all resources. */
const FHIR_VERSION = "4.0.1";
/** When this statement last changed. Change it with the statement. */
const CHANGED_ON = "2026-11-25";

type ParameterType = "token" | "date" | "reference" | "string";

/** Types of search parameters, as FHIR R4 defines them. */
const parameterTypes: Readonly<Record<string, ParameterType>> = {
  patient: "reference",
  identifier: "token",
  code: "token",
  category: "token",
  date: "date",
};

/** The parameters of a search that FHIR defines for the resource. */
const searchParams = (query: z.ZodObject) =>
  Object.keys(query.shape).flatMap((name) => {
    const type = parameterTypes[name];
    return type ? [{ name, type }] : [];
  });

const resource = (type: string, query: z.ZodObject) => ({
  type,
  interaction: [{ code: "read" }, { code: "search-type" }],
  searchParam: searchParams(query),
});

/** Which parts of FHIR R4 this service has. @param url of the FHIR interface. */
export const toCapabilityStatement = (url: string) => ({
  resourceType: "CapabilityStatement" as const,
  status: "active",
  date: CHANGED_ON,
  kind: "instance",
  software: { name: "Tributary" },
  implementation: { description: "Health data and lab results of the users of a team", url },
  fhirVersion: FHIR_VERSION,
  format: ["application/fhir+json", "json"],
  rest: [
    {
      mode: "server",
      security: { description: "A team API key in the header x-service-api-key, or an access token as bearer token" },
      resource: [resource("Patient", patientQuery), resource("Observation", observationQuery)],
    },
  ],
});

/** Response schema of the CapabilityStatement. */
export const wireCapabilityStatement = z
  .looseObject({ resourceType: z.literal("CapabilityStatement"), fhirVersion: z.string() })
  .meta({ id: "FhirCapabilityStatement", description: "FHIR R4 resource CapabilityStatement" });
