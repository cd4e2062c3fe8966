import * as z from "zod";
import { Decimal } from "./parse-fhir-json.ts";

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
  value: z.instanceof(Decimal).optional(),
  comparator: text.optional(),
  unit: text.optional(),
  code: text.optional(),
});
/** A date, or a date and time; month, day, seconds and offset can be missing (FHIR R4, 2.24.0.1 "dateTime"). */
const dateTime = z.string().regex(/^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$/);
const period = z.object({ start: dateTime.optional(), end: dateTime.optional() });
export type FhirPeriod = z.output<typeof period>;
const statuses = [
  "registered",
  "partial",
  "preliminary",
  "final",
  "amended",
  "corrected",
  "appended",
  "cancelled",
  "entered-in-error",
  "unknown",
] as const;

const range = z.object({ low: quantity.optional(), high: quantity.optional(), text: text.optional() });
export type FhirRange = z.output<typeof range>;

/** What an Observation and each of its components state. */
const measurement = z.object({
  code: concept,
  valueQuantity: quantity.optional(),
  valueString: text.optional(),
  valueInteger: z.int().optional(),
  valueBoolean: z.boolean().optional(),
  valueCodeableConcept: concept.optional(),
  valueRange: range.optional(),
  valueRatio: z.object({ numerator: quantity.optional(), denominator: quantity.optional() }).optional(),
  valueTime: text.optional(),
  valueDateTime: dateTime.optional(),
  valuePeriod: period.optional(),
  dataAbsentReason: concept.optional(),
  interpretation: z.array(concept).optional(),
  referenceRange: z.array(range).optional(),
});
export type FhirMeasurement = z.output<typeof measurement>;

const observation = measurement.extend({
  resourceType: z.literal("Observation"),
  id: text.optional(),
  status: text,
  note: z.array(z.object({ text })).optional(),
  performer: z.array(reference).optional(),
  hasMember: z.array(reference).optional(),
  component: z.array(measurement).max(1_000).optional(),
});
export type FhirObservation = z.output<typeof observation>;

const patient = z.object({
  resourceType: z.literal("Patient"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  name: z.array(z.object({ family: text.optional(), given: z.array(text).optional() })).optional(),
  gender: text.optional(),
  birthDate: dateTime.optional(),
});
export type FhirPatient = z.output<typeof patient>;

const specimen = z.object({
  resourceType: z.literal("Specimen"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  accessionIdentifier: identifier.optional(),
  receivedTime: dateTime.optional(),
  collection: z.object({ collectedDateTime: dateTime.optional(), collectedPeriod: period.optional() }).optional(),
});

const serviceRequest = z.object({
  resourceType: z.literal("ServiceRequest"),
  id: text.optional(),
  identifier: z.array(identifier).optional(),
  requisition: identifier.optional(),
  code: concept.optional(),
});

const organization = z.object({
  resourceType: z.literal("Organization"),
  id: text.optional(),
  name: text.optional(),
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
  effectiveDateTime: dateTime.optional(),
  effectivePeriod: period.optional(),
  issued: dateTime.optional(),
  performer: z.array(reference).optional(),
  specimen: z.array(reference).optional(),
  result: z.array(reference).optional(),
  contained: z.array(z.unknown()).max(5_000).optional(),
});
export type FhirReport = z.output<typeof report>;

/** A resource by its type. Supported types must be valid; other types pass unchecked. */
export const resource = z.union([
  z.discriminatedUnion("resourceType", [observation, organization, patient, specimen, serviceRequest, report]),
  others.refine(({ resourceType }) => !readTypes.includes(resourceType), "not a valid FHIR R4 resource"),
]);
export type Resource = z.output<typeof resource>;

const readTypes = ["Observation", "Organization", "Patient", "Specimen", "ServiceRequest", "DiagnosticReport"];

/** A Bundle: resources with the URLs by which other resources refer to them. An entry may have no resource. */
export const bundle = z.object({
  resourceType: z.literal("Bundle"),
  timestamp: text.optional().catch(undefined),
  entry: z.array(z.object({ fullUrl: text.optional(), resource: z.unknown().optional() })).max(5_000),
});

export type FhirConcept = z.output<typeof concept>;
export type FhirReference = z.output<typeof reference>;
