import * as z from "zod";
import {
  deviceQuery,
  labParameterNames,
  labResourceTypes,
  observationQuery,
  patientQuery,
  provenanceQuery,
} from "./search-query.ts";

/** FHIR version of all resources. */
const FHIR_VERSION = "4.0.1";
/** When this statement last changed. Change it with the statement. */
const CHANGED_ON = "2026-11-25";

const SECURITY_SERVICE = "http://terminology.hl7.org/CodeSystem/restful-security-service";

type ParameterType = "token" | "date" | "reference" | "string";

/** Types of search parameters, as FHIR R4 defines them. */
const parameterTypes: Readonly<Record<string, ParameterType>> = {
  patient: "reference",
  identifier: "token",
  code: "token",
  category: "token",
  date: "date",
  _lastUpdated: "date",
  authored: "date",
  collected: "date",
  status: "token",
  target: "reference",
};

/** The parameters of a search that FHIR defines for the resource. */
const searchParams = (names: readonly string[]) =>
  names.flatMap((name) => {
    const type = parameterTypes[name];
    return type ? [{ name, type }] : [];
  });

const resource = (type: string, names: readonly string[]) => ({
  type,
  interaction: [{ code: "read" }, { code: "search-type" }],
  searchParam: searchParams(names),
});

const everything = {
  name: "everything",
  definition: "http://hl7.org/fhir/OperationDefinition/Patient-everything",
};

/** The operation `$export` on a type (HL7 FHIR Bulk Data Access 2.0). */
const bulkExport = (level: "patient" | "group") => ({
  name: "export",
  definition: `http://hl7.org/fhir/uv/bulkdata/OperationDefinition/${level}-export`,
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
  instantiates: ["http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data"],
  rest: [
    {
      mode: "server",
      security: {
        service: [{ coding: [{ system: SECURITY_SERVICE, code: "SMART-on-FHIR" }] }],
        description: "A team API key in the header x-service-api-key, or an access token as bearer token",
      },
      resource: [
        { ...resource("Patient", Object.keys(patientQuery.shape)), operation: [everything, bulkExport("patient")] },
        { type: "Group", interaction: [{ code: "read" }], operation: [bulkExport("group")] },
        resource("Observation", Object.keys(observationQuery.shape)),
        ...labResourceTypes.map((type) => resource(type, labParameterNames(type))),
        resource("Device", Object.keys(deviceQuery.shape)),
        resource("Provenance", Object.keys(provenanceQuery.shape)),
      ],
    },
  ],
});

/** Response schema of the CapabilityStatement. */
export const wireCapabilityStatement = z
  .looseObject({ resourceType: z.literal("CapabilityStatement"), fhirVersion: z.string() })
  .meta({ id: "FhirCapabilityStatement", description: "FHIR R4 resource CapabilityStatement" });
