import * as z from "zod";

/** The parts of FHIR R4 resources that this service reads. Other elements are ignored. */

const text = z.string().max(100_000);
const coding = z.object({ system: text.optional(), code: text.optional(), display: text.optional() });
const concept = z.object({ coding: z.array(coding).optional(), text: text.optional() });
const reference = z.object({
  reference: text.optional(),
  display: text.optional(),
  identifier: z.lazy(() => identifier).optional(),
});
const identifier = z.object({ system: text.optional(), value: text.optional(), type: concept.optional() });
const quantity = z.object({
  value: z.number().optional(),
  comparator: text.optional(),
  unit: text.optional(),
  code: text.optional(),
});
const instant = z.iso.datetime({ offset: true });
const statuses = [
  "registered",
  "partial",
  "preliminary",
  "final",
  "amended",
  "corrected",
  "appended",
  "cancelled",
] as const;

const range = z.object({ low: quantity.optional(), high: quantity.optional(), text: text.optional() });
export type FhirRange = z.output<typeof range>;

const observation = z.object({
  resourceType: z.literal("Observation"),
  id: text.optional(),
  status: text,
  code: concept,
  valueQuantity: quantity.optional(),
  valueString: text.optional(),
  valueInteger: z.int().optional(),
  valueCodeableConcept: concept.optional(),
  valueRange: range.optional(),
  dataAbsentReason: concept.optional(),
  interpretation: z.array(concept).optional(),
  referenceRange: z.array(range).optional(),
  note: z.array(z.object({ text })).optional(),
  performer: z.array(reference).optional(),
  hasMember: z.array(reference).optional(),
});
export type FhirObservation = z.output<typeof observation>;

const patient = z.object({
  resourceType: z.literal("Patient"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  name: z.array(z.object({ family: text.optional(), given: z.array(text).optional() })).optional(),
  gender: text.optional(),
  birthDate: z.iso.date().optional(),
});
export type FhirPatient = z.output<typeof patient>;

const specimen = z.object({
  resourceType: z.literal("Specimen"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  accessionIdentifier: identifier.optional(),
  receivedTime: instant.optional(),
  collection: z.object({ collectedDateTime: instant.optional() }).optional(),
});
export type FhirSpecimen = z.output<typeof specimen>;

const serviceRequest = z.object({
  resourceType: z.literal("ServiceRequest"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  requisition: identifier.optional(),
  code: concept.optional(),
});

const others = z.looseObject({ resourceType: text, id: text.optional() });

const report = z.object({
  resourceType: z.literal("DiagnosticReport"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  basedOn: z.array(reference).optional(),
  status: z.enum(statuses),
  code: concept,
  subject: reference.optional(),
  effectiveDateTime: instant.optional(),
  issued: instant.optional(),
  performer: z.array(reference).optional(),
  specimen: z.array(reference).optional(),
  result: z.array(reference).optional(),
  contained: z.array(z.unknown()).max(5_000).optional(),
});
export type FhirReport = z.output<typeof report>;

/** A resource by its type. Supported types must be valid; other types pass unchecked. */
export const resource = z.union([
  z.discriminatedUnion("resourceType", [observation, patient, specimen, serviceRequest, report]),
  others.refine(({ resourceType }) => !readTypes.includes(resourceType), "not a valid FHIR R4 resource"),
]);
export type Resource = z.output<typeof resource>;

const readTypes = ["Observation", "Patient", "Specimen", "ServiceRequest", "DiagnosticReport"];

/** A Bundle: resources with the URLs by which other resources refer to them. */
export const bundle = z.object({
  resourceType: z.literal("Bundle"),
  entry: z.array(z.object({ fullUrl: text.optional(), resource: z.unknown() })).max(5_000),
});

export type FhirConcept = z.output<typeof concept>;
export type FhirReference = z.output<typeof reference>;
