import {
  type LabReport,
  type Observation,
  type ReportedPatient,
  ReportRefused,
} from "../../domain/results/lab-report.ts";
import { findSegment, type Message, type Segment, valueAt } from "./message.ts";
import { readObservation } from "./read-observation.ts";
import { fromHl7Date, fromHl7Time } from "./time.ts";

/** An observation request (OBR) with its observations. */
interface ObservationGroup {
  readonly request: Segment;
  readonly observations: readonly Observation[];
}

/**
 * Reads the results of one patient from an ORU^R01 message.
 * @throws ReportRefused if required data is missing, or if the message is about several patients or orders.
 */
export function readOru(message: Message, lab: string): LabReport {
  const at = (segment: Segment | undefined, field: number, component = 1) =>
    orNull(valueAt(message, segment, field, { component }));
  const patients = message.segments.filter(({ name }) => name === "PID");
  if (patients.length !== 1) throw new ReportRefused("A message must be about one patient.");
  const groups = groupByRequest(message);
  const [first] = groups;
  if (!first) throw new ReportRefused("The message has no OBR segment.");
  const msh = findSegment(message, "MSH");
  const requisition = single(
    groups.map(({ request }) => at(request, 2)),
    "order",
  );
  const reported = at(first.request, 22) ?? at(msh, 7) ?? "";
  const reported_at = fromHl7Time(reported);
  if (reported_at === null) throw new ReportRefused("The message does not say when it was reported.");
  const report_id = at(first.request, 3) ?? at(msh, 10);
  if (report_id === null) throw new ReportRefused("The report has no identifier.");
  const specimen = findSegment(message, "SPM");
  const observer = message.segments.find(({ name }) => name === "OBX");
  return {
    lab,
    report_id,
    status: reportStatus(groups.map(({ request }) => at(request, 25) ?? "F")),
    requisition: requisition ?? at(findSegment(message, "ORC"), 2),
    sample_id: at(specimen, 2) ?? report_id,
    account_number: at(patients[0], 18),
    patient: patientOf(message, patients[0]),
    collected_at: instant(at(first.request, 7)) ?? instant(at(specimen, 17)),
    received_at: instant(at(specimen, 18)) ?? instant(at(first.request, 14)),
    reported_at,
    clia_number: at(observer, 23, 10),
    laboratory_name: at(observer, 23) ?? at(msh, 4),
    observations: groups.flatMap(({ observations }) => observations),
  };
}

const orNull = (text: string) => (text === "" ? null : text);
const instant = (text: string | null) => (text === null ? null : fromHl7Time(text));

/** The only distinct value, or null. */
function single(values: readonly (string | null)[], what: string): string | null {
  const found = [...new Set(values.filter((value) => value !== null))];
  if (found.length > 1) throw new ReportRefused(`A message must be about one ${what}.`);
  return found[0] ?? null;
}

/** Groups observations by request. Notes (NTE) belong to the segment before them. */
function groupByRequest(message: Message): ObservationGroup[] {
  const groups: { request: Segment; observations: Observation[] }[] = [];
  for (const [index, segment] of message.segments.entries()) {
    if (segment.name === "OBR") groups.push({ request: segment, observations: [] });
    if (segment.name !== "OBX") continue;
    const group = groups.at(-1);
    if (!group) throw new ReportRefused(`Line ${index + 1} has no OBR segment before it.`);
    const end = message.segments.findIndex(({ name }, later) => later > index && name !== "NTE");
    const notes = message.segments.slice(index + 1, end === -1 ? undefined : end);
    const note = notes.map((line) => valueAt(message, line, 3)).join("\n");
    group.observations.push(...readObservation(message, segment, group.request, note, index + 1));
  }
  return groups;
}

/** A report is partial while one of its tests is, and corrected if one of them was. */
function reportStatus(statuses: readonly string[]): LabReport["status"] {
  if (statuses.some((status) => ["P", "A", "I", "S", "O", "R"].includes(status))) return "partial";
  return statuses.includes("C") ? "corrected" : "final";
}

const genders: Readonly<Record<string, ReportedPatient["gender"]>> = {
  F: "female",
  M: "male",
  O: "other",
  U: "unknown",
};

function patientOf(message: Message, pid: Segment | undefined): ReportedPatient {
  const at = (field: number, component = 1) => orNull(valueAt(message, pid, field, { component }));
  return {
    first_name: at(5, 2),
    last_name: at(5),
    dob: fromHl7Date(at(7) ?? ""),
    gender: genders[at(8) ?? ""] ?? null,
    patient_id: at(3),
  };
}
