/** Media type of FHIR resources in JSON (FHIR R4, section 2.6). */
export const FHIR_MEDIA_TYPE = "application/fhir+json";

/** System of the service's error codes. Apart from the other systems, because every function renders errors. */
export const ERROR_CODE_SYSTEM = "urn:tributary:error-code";

/** Whether a path belongs to the FHIR interface, whose errors are OperationOutcomes. Batches go to its base. */
export const isFhirPath = (path: string): boolean => path === "/fhir" || path.startsWith("/fhir/");
