import { distinguishRepeats } from "../../domain/results/distinguish-repeats.ts";
import {
  type LabReport,
  type Observation,
  type ReportedPatient,
  ReportRefused,
} from "../../domain/results/lab-report.ts";
import { groupByOrder, type OrderGroup, type RequestGroup } from "./group-segments.ts";
import { joinTextLines } from "./join-text-lines.ts";
import { findSegment, findSegmentIn, type Message, type Segment, textOf, valueAt } from "./message.ts";
import { type ReadObservation, readObservation } from "./read-observation.ts";
import { fromHl7Date, fromHl7Time, offsetOf } from "./time.ts";

/**
 * Reads the reports of an ORU message: one for each order of each patient. A cancelled order without a value has none.
 * @throws ReportRefused if required data is missing, or if all orders are cancelled.
 */
export function readOru(message: Message, lab: string): LabReport[] {
  const groups = groupByOrder(message);
  if (!findSegment(message, "PID")) throw new ReportRefused("The message has no patient.");
  if (groups.length === 0) throw new ReportRefused("The message has no OBR segment.");
  const open = groups.filter((group) => !isCancelled(message, group));
  if (open.length === 0) throw new ReportRefused("The report was cancelled.");
  return open.map((group) => readOrder(message, group, lab));
}

/** Whether the laboratory cancelled all requests of an order and reports no value. */
const isCancelled = (message: Message, { requests }: OrderGroup): boolean =>
  requests.every(
    (request) =>
      valueAt(message, request.request, 25).toUpperCase() === CANCELLED &&
      observationsOf(message, request).length === 0,
  );

function readOrder(message: Message, { patient, requisition, requests }: OrderGroup, lab: string): LabReport {
  const at = (segment: Segment | undefined, field: number, component = 1) =>
    orNull(valueAt(message, segment, field, { component }));
  const msh = findSegment(message, "MSH");
  const zone = offsetOf(at(msh, 7) ?? "");
  const instant = (text: string | null) => (text === null ? null : fromHl7Time(text, zone));
  const first = requests[0]?.request;
  const sent_at = instant(at(msh, 7));
  const reported_at = instant(at(first, 22)) ?? sent_at;
  if (reported_at === null) throw new ReportRefused("The message does not say when it was reported.");
  const filler = at(first, 3) ?? at(requests[0]?.order, 3);
  const report_id = filler ?? at(msh, 10);
  if (report_id === null) throw new ReportRefused("The report has no identifier.");
  const specimen = requests.map((request) => request.specimen).find((segment) => segment !== undefined);
  const observer = requests.map(({ lines }) => findSegmentIn(lines, "OBX")).find((segment) => segment !== undefined);
  const observations = requests.flatMap((request) => observationsOf(message, request));
  return {
    lab,
    report_id,
    status: reportStatus(
      requests.map(({ request, lines }) => at(request, 25) ?? inferStatus(message, lines)),
      observations,
    ),
    requisition,
    sample_id: at(specimen, 2) ?? at(specimen, 2, 2) ?? filler,
    account_number: at(patient, 18),
    patient: patientOf(message, patient),
    collected_at: instant(at(first, 7)) ?? instant(at(specimen, 17)),
    received_at: instant(at(specimen, 18)) ?? instant(at(first, 14)),
    reported_at,
    ...(sent_at === null ? {} : { sent_at }),
    clia_number: at(observer, 23, 10),
    laboratory_name: at(observer, 23) ?? at(msh, 4),
    observations,
  };
}

const orNull = (text: string) => (text === "" ? null : text);

/** The observations of a request. Notes (NTE) belong to the segment before them. */
function observationsOf(message: Message, { request, lines }: RequestGroup): Observation[] {
  const read = lines.flatMap(({ segment, number }, index): ReadObservation[] => {
    if (segment.name !== "OBX") return [];
    const one = readObservation(message, segment, request, noteAfter(message, lines, index), number);
    return one ? [one] : [];
  });
  const joined = joinTextLines(read);
  const isWithdrawn = isWithdrawnStatus(valueAt(message, request, 25));
  return distinguishRepeats(
    joined.map(({ observation }) => (isWithdrawn ? { ...observation, status: "withdrawn" } : observation)),
    joined.map(({ subId }) => subId),
  );
}

/** The text of the notes that follow a line. */
function noteAfter(message: Message, lines: RequestGroup["lines"], index: number): string {
  const notes: string[] = [];
  for (let next = lines[index + 1]; next?.segment.name === "NTE"; next = lines[index + 1 + notes.length]) {
    notes.push(textOf(message, next.segment, 3));
  }
  return notes.join("\n");
}

/** States of requests (HL7 table 0123) and of observations (table 0085) before the final result. */
const UNFINISHED = ["P", "A", "I", "S", "O", "R", "N", "M"];
/** State of a request without results that was cancelled (HL7 table 0123). */
const CANCELLED = "X";

/** Whether a test was reported in error: deleted, or for another patient. */
const isWithdrawnStatus = (status: string) => ["D", "W"].includes(status.toUpperCase());

/**
 * A report is withdrawn with all its tests, partial while one of them is, and corrected if one of them was or if a value
 * is withdrawn.
 */
function reportStatus(statuses: readonly string[], observations: readonly Observation[]): LabReport["status"] {
  if (statuses.every(isWithdrawnStatus)) return "withdrawn";
  if (statuses.some((status) => UNFINISHED.includes(status.toUpperCase()))) return "partial";
  const isChanged = observations.some(({ status }) => status === "withdrawn");
  return isChanged || statuses.some((status) => status.toUpperCase() === "C") ? "corrected" : "final";
}

/** The status of a request that has none: that of its observations. */
function inferStatus(message: Message, lines: RequestGroup["lines"]): string {
  const observations = lines.filter(({ segment }) => segment.name === "OBX");
  const statuses = observations.map(({ segment }) => valueAt(message, segment, 11).toUpperCase());
  return statuses.find((status) => ["P", "I", "S", "R"].includes(status)) ?? (statuses.includes("C") ? "C" : "F");
}

const genders: Readonly<Record<string, ReportedPatient["gender"]>> = {
  F: "female",
  M: "male",
  O: "other",
  U: "unknown",
};

function patientOf(message: Message, pid: Segment): ReportedPatient {
  const at = (field: number, component = 1) => orNull(valueAt(message, pid, field, { component }));
  const middle_names = at(5, 3);
  return {
    first_name: at(5, 2),
    ...(middle_names === null ? {} : { middle_names }),
    last_name: at(5),
    dob: fromHl7Date(at(7) ?? ""),
    gender: genders[(at(8) ?? "").toUpperCase()] ?? null,
    // Version 2.2 and older send the patient in PID-2.
    patient_id: at(3) ?? at(2),
  };
}
