import { type LabReport, type ReportedPatient, ReportRefused } from "../../domain/results/lab-report.ts";
import { readConcept, toObservation } from "./observation.ts";
import {
  bundle,
  type FhirObservation,
  type FhirPatient,
  type FhirReference,
  type FhirReport,
  type FhirSpecimen,
  type Resource,
  resource,
} from "./resources.ts";

/** A message with a thousand results is shorter. */
const MAX_CHARACTERS = 4_000_000;
/** Maximum nesting of panels; a deeper nesting is a cycle. */
const MAX_DEPTH = 5;

/**
 * Reads the reports of a FHIR R4 message: a DiagnosticReport with contained resources, or a Bundle with one or more
 * reports.
 * @throws ReportRefused for an invalid message. The error names the resource and repeats none of its content.
 */
export function readFhirReports(text: string, lab: string): LabReport[] {
  if (text.length > MAX_CHARACTERS) throw new ReportRefused("The message is too long.");
  const resources = indexResources(parseJson(text));
  const reports = [...new Set(resources.values())].filter((one) => one.resourceType === "DiagnosticReport");
  if (reports.length === 0) throw new ReportRefused("The message has no DiagnosticReport.");
  return (reports as FhirReport[]).map((report) => toReport(report, resources, lab));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ReportRefused("The message is not valid JSON.");
  }
}

/** Indexes resources by the references that point to them. */
function indexResources(root: unknown): Map<string, Resource> {
  const found = new Map<string, Resource>();
  const add = (candidate: unknown, where: string, address?: string) => {
    const read = resource.safeParse(candidate);
    if (!read.success) throw new ReportRefused(`${where} is not a valid FHIR R4 resource.`);
    const { data } = read;
    const local = data.id === undefined ? [] : [`${data.resourceType}/${data.id}`, `#${data.id}`];
    for (const key of [address ?? where, ...local]) found.set(key, data);
    const contained = data.resourceType === "DiagnosticReport" ? ((data as FhirReport).contained ?? []) : [];
    for (const [index, inner] of contained.entries()) add(inner, `contained[${index}]`);
  };
  const asBundle = bundle.safeParse(root);
  if (!asBundle.success) add(root, "The message");
  else
    for (const [index, { fullUrl, resource: one }] of asBundle.data.entry.entries())
      add(one, `entry[${index}]`, fullUrl);
  return found;
}

/** Resolves a reference to a resource of a type; undefined if the message does not contain it. */
function resolveReference(
  resources: Map<string, Resource>,
  to: FhirReference | undefined,
  type: string,
): Resource | undefined {
  const one = resources.get(to?.reference ?? "");
  return one?.resourceType === type ? one : undefined;
}

const states: Readonly<Record<string, LabReport["status"]>> = {
  registered: "partial",
  partial: "partial",
  preliminary: "partial",
  amended: "corrected",
  corrected: "corrected",
};

function toReport(report: FhirReport, resources: Map<string, Resource>, lab: string): LabReport {
  const reported = report.issued ?? report.effectiveDateTime;
  if (reported === undefined) throw new ReportRefused("The report does not say when it was issued.");
  if (report.status === "cancelled") throw new ReportRefused("The report was cancelled.");
  const report_id = report.identifier?.[0]?.value ?? report.id;
  if (!report_id) throw new ReportRefused("The report has no identifier.");
  const patient = resolveReference(resources, report.subject, "Patient") as FhirPatient | undefined;
  const specimen = resolveReference(resources, report.specimen?.[0], "Specimen") as FhirSpecimen | undefined;
  const order = report.basedOn?.[0];
  const request = resolveReference(resources, order, "ServiceRequest") as
    | Extract<Resource, { requisition?: unknown }>
    | undefined;
  const performer = report.performer?.[0];
  return {
    lab,
    report_id,
    status: states[report.status] ?? "final",
    requisition:
      identifierValueOf(request?.requisition) ??
      identifierValueOf(request?.identifier) ??
      order?.identifier?.value ??
      null,
    sample_id: identifierValueOf(specimen?.accessionIdentifier) ?? identifierValueOf(specimen?.identifier),
    account_number: null,
    patient: patientOf(patient),
    collected_at: inUtc(specimen?.collection?.collectedDateTime ?? report.effectiveDateTime),
    received_at: inUtc(specimen?.receivedTime),
    reported_at: new Date(reported).toISOString(),
    clia_number: null,
    laboratory_name: performer?.display ?? null,
    observations: observationsOf(report.result ?? [], resources, MAX_DEPTH).map((one) =>
      toObservation(one, readConcept(report.code).code),
    ),
  };
}

const inUtc = (text: string | undefined) => (text === undefined ? null : new Date(text).toISOString());

function identifierValueOf(given: unknown): string | null {
  const one: unknown = Array.isArray(given) ? given[0] : given;
  const value = typeof one === "object" && one !== null && "value" in one ? one.value : undefined;
  return typeof value === "string" ? value : null;
}

/** The observations of a report; the members of a panel replace the panel. */
function observationsOf(
  references: readonly FhirReference[],
  resources: Map<string, Resource>,
  depth: number,
): FhirObservation[] {
  if (depth === 0) throw new ReportRefused("The report's panels are nested too deeply.");
  return references.flatMap((reference) => {
    const one = resolveReference(resources, reference, "Observation") as FhirObservation | undefined;
    if (!one) throw new ReportRefused("The report refers to an observation that the message does not contain.");
    const members = one.hasMember ?? [];
    return members.length > 0 ? observationsOf(members, resources, depth - 1) : [one];
  });
}

const genders = ["female", "male", "other", "unknown"] as const;

function patientOf(patient: FhirPatient | undefined): ReportedPatient {
  const name = patient?.name?.[0];
  return {
    first_name: name?.given?.[0] ?? null,
    last_name: name?.family ?? null,
    dob: patient?.birthDate ?? null,
    gender: genders.find((gender) => gender === patient?.gender) ?? null,
    patient_id: patient?.identifier?.[0]?.value ?? null,
  };
}
