import { distinguishRepeats } from "../../domain/results/distinguish-repeats.ts";
import {
  type LabReport,
  type Observation,
  type ReportedPatient,
  ReportRefused,
} from "../../domain/results/lab-report.ts";
import { startOf, toInstant } from "./fhir-time.ts";
import { readConcept, toObservations } from "./observation.ts";
import { parseFhirJson } from "./parse-fhir-json.ts";
import { type IndexedReport, indexReports, type ResourceIndex, resolveReference } from "./resource-index.ts";
import type { FhirObservation, FhirPatient, FhirReference, FhirReport } from "./resources.ts";

/** A message with a thousand results is shorter. */
const MAX_CHARACTERS = 4_000_000;
/** Maximum values that the reports of a message name together. Reports can share observations, which multiplies them. */
const MAX_VALUES = 50_000;
/** Maximum characters of the members that their panels name. Members can repeat. A single report cannot reach it. */
const MAX_MEMBER_CHARACTERS = 5_000_000;
/** Maximum nesting of panels. */
const MAX_DEPTH = 5;

/**
 * Reads the reports of a FHIR R4 message: a DiagnosticReport with contained resources, or a Bundle with one or more
 * reports.
 * @throws ReportRefused for an invalid message. The error names the resource and repeats none of its content.
 */
export function readFhirReports(text: string, lab: string): LabReport[] {
  if (text.length > MAX_CHARACTERS) throw new ReportRefused("The message is too long.");
  const reports = indexReports(parseFhirJson(text));
  if (reports.length === 0) throw new ReportRefused("The message has no DiagnosticReport.");
  let values = 0;
  let characters = 0;
  return reports.map((one) => {
    const measured = observationsOf(one.report.result ?? [], one.resources);
    values += measured.reduce((sum, { component = [] }) => sum + Math.max(1, component.length), 0);
    for (const { reference = "" } of measured.flatMap(({ hasMember = [] }) => hasMember))
      characters += reference.length;
    if (values > MAX_VALUES || characters > MAX_MEMBER_CHARACTERS) {
      throw new ReportRefused("The reports of the message name too many observations.");
    }
    return toReport(one, measured, lab);
  });
}

/** Statuses before the final report; `unknown` promises no final one. */
const states: Readonly<Record<string, LabReport["status"]>> = {
  registered: "partial",
  partial: "partial",
  preliminary: "partial",
  unknown: "partial",
  amended: "corrected",
  corrected: "corrected",
  "entered-in-error": "withdrawn",
};

function toReport(
  { report, resources, timestamp }: IndexedReport,
  measured: readonly FhirObservation[],
  lab: string,
): LabReport {
  if (report.status === "cancelled") throw new ReportRefused("The report was cancelled.");
  const effective = startOf(report.effectiveDateTime, report.effectivePeriod);
  const reported_at = toInstant(report.issued) ?? effective;
  if (reported_at === null) throw new ReportRefused("The report does not say when it was issued.");
  const sent_at = toInstant(timestamp);
  const report_id = identifierValueOf(report.identifier) ?? report.id;
  if (!report_id) throw new ReportRefused("The report has no identifier.");
  const specimen = resolveReference(resources, report.specimen?.[0], "Specimen");
  const { collectedDateTime, collectedPeriod } = specimen?.collection ?? {};
  const performer = report.performer?.[0];
  const testCode = readConcept(report.code).code;
  const observations = distinguishRepeats(measured.flatMap((one) => toObservations(one, testCode)));
  return {
    lab,
    report_id,
    status: statusOf(report, observations),
    requisition: requisitionOf(report, resources),
    sample_id: identifierValueOf(specimen?.accessionIdentifier) ?? identifierValueOf(specimen?.identifier),
    account_number: null,
    patient: patientOf(resolveReference(resources, report.subject, "Patient")),
    collected_at: startOf(collectedDateTime, collectedPeriod) ?? effective,
    received_at: toInstant(specimen?.receivedTime),
    reported_at,
    ...(sent_at === null ? {} : { sent_at }),
    clia_number: null,
    laboratory_name: performer?.display ?? resolveReference(resources, performer, "Organization")?.name ?? null,
    observations,
  };
}

/** A final report with a withdrawn value corrects what was reported before. */
function statusOf({ status }: FhirReport, observations: readonly Observation[]): LabReport["status"] {
  const stated = states[status] ?? "final";
  const isChanged = observations.some((one) => one.status === "withdrawn");
  return stated === "final" && isChanged ? "corrected" : stated;
}

function requisitionOf({ basedOn = [] }: FhirReport, resources: ResourceIndex): string | null {
  const [order] = basedOn;
  const request = resolveReference(resources, order, "ServiceRequest");
  return (
    identifierValueOf(request?.requisition) ??
    identifierValueOf(request?.identifier) ??
    order?.identifier?.value ??
    null
  );
}

/** The first value of an identifier, or of a list of them. */
function identifierValueOf(given: unknown): string | null {
  const values = [given]
    .flat()
    .map((one: unknown) => (typeof one === "object" && one !== null && "value" in one ? one.value : undefined));
  return values.find((value) => typeof value === "string") ?? null;
}

/** The observations of a report, each once, however many panels name it. A panel precedes its members. */
function observationsOf(references: readonly FhirReference[], resources: ResourceIndex): FhirObservation[] {
  const found = new Set<FhirObservation>();
  const visit = (members: readonly FhirReference[], panels: readonly FhirObservation[]) => {
    if (panels.length === MAX_DEPTH) throw new ReportRefused("The report's panels are nested too deeply.");
    for (const reference of members) {
      const one = resolveReference(resources, reference, "Observation");
      if (!one) throw new ReportRefused("The report refers to an observation that the message does not contain.");
      if (panels.includes(one)) throw new ReportRefused("A panel of the report contains itself.");
      if (found.has(one)) continue;
      found.add(one);
      if (one.hasMember && one.hasMember.length > 0) visit(one.hasMember, [...panels, one]);
    }
  };
  visit(references, []);
  return [...found];
}

const genders = ["female", "male", "other", "unknown"] as const;
const WHOLE_DATE = /^\d{4}-\d\d-\d\d/;

function patientOf(patient: FhirPatient | undefined): ReportedPatient {
  const name = patient?.name?.[0];
  const [first_name = null, ...middle] = name?.given ?? [];
  return {
    first_name,
    ...(middle.length > 0 ? { middle_names: middle.join(" ") } : {}),
    last_name: name?.family ?? null,
    dob: WHOLE_DATE.exec(patient?.birthDate ?? "")?.[0] ?? null,
    gender: genders.find((gender) => gender === patient?.gender) ?? null,
    patient_id: identifierValueOf(patient?.identifier),
  };
}
