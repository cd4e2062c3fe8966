import * as z from "zod";
import { parseTokens } from "./search-token.ts";
import { systems } from "./systems.ts";

/** Observations of a page without `_count`, and at most. */
const [DEFAULT_COUNT, MAX_COUNT] = [100, 1_000];

const given = z.array(z.string().min(1).max(2_000)).max(20);

/** A search parameter that may be repeated. All of its occurrences must match. */
const searchParameter = (description: string) => given.optional().meta({ description });

/** A search parameter that must be present. */
const requiredParameter = (description: string) => given.min(1).meta({ description: `${description}. Required` });

/** The format of answers, with its parameters. A plus sign in a query can arrive as a space. */
const FORMAT = /^(json|(application|text)\/(fhir[+ ])?json)(\s*;\s*(charset=utf-8|fhirVersion="?4\.0"?))*$/;

/** Parameters of every search. */
const pageParameters = {
  _count: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(DEFAULT_COUNT)
    .meta({ description: `Resources of a page, at most ${MAX_COUNT.toLocaleString("en")}` }),
  _format: z
    .string()
    .regex(FORMAT, "This service answers in JSON of FHIR 4.0 only")
    .optional()
    .meta({ description: "`json` or `application/fhir+json`" }),
  cursor: z.string().max(4_000).optional().meta({ description: "Position of the page, from the link `next`" }),
};

/** Parameters of a search that finds one resource at most. */
const { cursor: _, ...singlePageParameters } = pageParameters;

/** The number of resources of a page. */
export const pageSize = (count: number): number => Math.min(count, MAX_COUNT);

/** Path parameters of a resource. */
export const resourceParams = z.object({
  id: z
    .string()
    .regex(/^[A-Za-z0-9.-]{1,64}$/, "Not an id")
    .meta({ description: "Id of the resource" }),
});

const PATIENT = /^(?:(?:https?:\/\/[^?#]+\/)?Patient\/)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i;

/** The user that a reference to a patient names; undefined for another text. */
export const parsePatient = (text: string): string | undefined => PATIENT.exec(text)?.[1]?.toLowerCase();

const patient = requiredParameter("The patient, as `id` or `Patient/id`");

/** Parameters of a search for Observations. */
export const observationQuery = z.object({
  patient,
  code: searchParameter("Codes of what was measured, as `code` or `system|code`, with commas between alternatives"),
  category: searchParameter("Categories, such as `vital-signs`, `activity` or `laboratory`"),
  date: searchParameter("When it was measured: a date or date-time, or a part of one, after eq, ge, gt, le or lt"),
  _lastUpdated: searchParameter("When the service received or changed it, as `date`. Results of orders never match"),
  ...pageParameters,
});

const status = searchParameter("Statuses, with commas between alternatives");

/** Resources of orders and results, with the date parameter that each has. */
export const labResourceDates = {
  DiagnosticReport: "date",
  ServiceRequest: "authored",
  Specimen: "collected",
} as const;
export type LabResourceType = keyof typeof labResourceDates;
export const labResourceTypes = Object.keys(labResourceDates) as [LabResourceType, ...LabResourceType[]];

const labDate = (type: LabResourceType, when: string) => searchParameter(`${when}. Only of a ${type}`);

/** Parameters of a search for resources of orders and results. */
export const labQuery = z.object({
  patient,
  status,
  date: labDate("DiagnosticReport", "When the sample was collected, else when the result was reported"),
  authored: labDate("ServiceRequest", "When the order was created"),
  collected: labDate("Specimen", "When the sample was collected"),
  ...pageParameters,
});

/** The names of the parameters of one type. A Specimen has no status. */
export const labParameterNames = (type: LabResourceType): string[] => [
  "patient",
  ...(type === "Specimen" ? [] : ["status"]),
  labResourceDates[type],
  ...Object.keys(pageParameters),
];

/** Parameters of a search for Devices. */
export const deviceQuery = z.object({
  patient,
  identifier: searchParameter("The source's own id of the device"),
  ...pageParameters,
});

/** Parameters of a search for Provenances. One of `patient` and `target` is required. */
export const provenanceQuery = z.object({
  patient: searchParameter("The patient, as `id` or `Patient/id`. Required without `target`"),
  target: searchParameter("An Observation, as `Observation/id`. Required without `patient`"),
  ...pageParameters,
});

/** The id of the Observation that a `target` names; undefined for another reference. */
export const parseTarget = (text: string): string | undefined =>
  /^(?:https?:\/\/[^?#]+\/)?Observation\/([A-Za-z0-9.-]{1,64})$/.exec(text)?.[1];

/** Types of resources that belong to a patient. */
export const patientTypes = ["Patient", "Device", ...labResourceTypes, "Observation", "Provenance"] as const;
export type PatientType = (typeof patientTypes)[number];

/** Parameters of the operation `$everything`. */
export const everythingQuery = z.object({
  _type: searchParameter("Types of resources, with commas between them. Without it, all but Provenance"),
  start: searchParameter("The first date of what was measured, ordered or reported"),
  end: searchParameter("The last date of it"),
  ...pageParameters,
});

/** Parameters of a search for Patients. */
export const patientQuery = z.object({
  identifier: requiredParameter("Your own id of the user"),
  ...singlePageParameters,
});

/** The `client_user_id` of an `identifier` parameter; null for an identifier that no user has, undefined for several. */
export function parseIdentifier([text = "", ...more]: readonly string[]): string | null | undefined {
  const [token, ...others] = parseTokens(text) ?? [];
  if (!token || more.length + others.length > 0) return undefined;
  const isOwn = token.system === undefined || token.system === systems.clientUserId;
  return isOwn ? (token.code ?? null) : null;
}
