/** Systems of codes and identifiers in FHIR resources. Those of this project are URNs, which name and locate nothing. */
export const systems = {
  loinc: "http://loinc.org",
  ucum: "http://unitsofmeasure.org",
  observationCategory: "http://terminology.hl7.org/CodeSystem/observation-category",
  interpretation: "http://terminology.hl7.org/CodeSystem/v3-ObservationInterpretation",
  diagnosticSection: "http://terminology.hl7.org/CodeSystem/v2-0074",
  absentReason: "http://terminology.hl7.org/CodeSystem/data-absent-reason",
  provenanceAgent: "http://terminology.hl7.org/CodeSystem/provenance-participant-type",
  npi: "http://hl7.org/fhir/sid/us-npi",
  icd10: "http://hl7.org/fhir/sid/icd-10-cm",
  /** What a value means, in the names of the ordinary API. */
  measure: "urn:tributary:measure",
  /** Values of choices, such as a sensor location or a sport, in the names of the ordinary API. */
  choice: "urn:tributary:choice",
  provider: "urn:tributary:provider",
  sourceType: "urn:tributary:source-type",
  deviceId: "urn:tributary:device-id",
  appId: "urn:tributary:app-id",
  /** A provider's own id of a workout or meal. */
  providerId: "urn:tributary:provider-id",
  clientUserId: "urn:tributary:client-user-id",
  /** A laboratory's own code of a test or value. */
  labCode: "urn:tributary:lab-code",
  sampleId: "urn:tributary:sample-id",
  labTest: "urn:tributary:lab-test",
  orderId: "urn:tributary:order-id",
  orderTransactionId: "urn:tributary:order-transaction-id",
  labReportId: "urn:tributary:lab-report-id",
} as const;
