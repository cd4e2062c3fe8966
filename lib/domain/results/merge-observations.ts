import { codeOf } from "./distinguish-repeats.ts";
import type { LabReport, Observation } from "./lab-report.ts";

/** Value of a report, with the number and the time of its report. */
export interface ReceivedObservation extends Observation {
  readonly reported_at: string;
  /** Absent in results of earlier versions, and if the message states no time. */
  readonly sent_at?: string;
  readonly sample_id: string | null;
  /** Absent in results of earlier versions. */
  readonly report_id?: string;
}

/** Value that counts for a code. A withdrawn value counts as cancelled, and has no content. */
export interface StoredObservation extends Omit<ReceivedObservation, "status"> {
  readonly status: Exclude<Observation["status"], "withdrawn">;
  readonly is_withdrawn?: true;
}

/** Values that count, and all others, which count again if those are withdrawn. */
export interface MergedObservations {
  readonly observations: readonly StoredObservation[];
  readonly others: readonly ReceivedObservation[];
}

/** A report that the laboratory has withdrawn as a whole. */
type WithdrawnReport = Pick<LabReport, "report_id" | "reported_at" | "sent_at">;

/** Precedence of statuses: a higher rank replaces a lower one, in whatever order the reports arrive. */
const rank: Readonly<Record<Observation["status"], number>> = {
  preliminary: 0,
  cancelled: 1,
  final: 1,
  corrected: 2,
  withdrawn: 3,
};

/** Key of an observation: its LOINC code, or else the laboratory's code, with the sub-id if it has one. */
export const observationKey = (observation: Pick<Observation, "loinc" | "code" | "sub_id">): string =>
  observation.sub_id === undefined ? codeOf(observation) : `${codeOf(observation)}#${observation.sub_id}`;

/**
 * Selects the value of each code from everything that was received, in any order of arrival. A withdrawal hides the values
 * that were reported until then. Of the others, the corrected one counts, else the final one, else the newest by the time of
 * the report, then of its message.
 */
export function mergeObservations(
  received: readonly ReceivedObservation[],
  withdrawn: readonly WithdrawnReport[],
): MergedObservations {
  const byKey = Map.groupBy(keepNewest(received), observationKey);
  const merged = [...byKey.values()].map((values) => selectValue(values, withdrawn));
  const inOrder = merged.toSorted((a, b) => (observationKey(a.value) < observationKey(b.value) ? -1 : 1));
  return { observations: inOrder.map(({ value }) => value), others: inOrder.flatMap(({ others }) => others) };
}

/** Keeps the newest value of each code, report and rank. No other value can ever count. */
function keepNewest(received: readonly ReceivedObservation[]): ReceivedObservation[] {
  const kept = new Map<string, ReceivedObservation>();
  for (const value of received) {
    const key = JSON.stringify([observationKey(value), value.report_id, rank[value.status]]);
    const before = kept.get(key);
    if (before === undefined || replaces(value, before)) kept.set(key, value);
  }
  return [...kept.values()];
}

function selectValue(values: readonly ReceivedObservation[], withdrawn: readonly WithdrawnReport[]) {
  const withdrawals = values.filter(({ status }) => status === "withdrawn");
  const isWithdrawn = (value: ReceivedObservation) =>
    value.status === "withdrawn" ||
    withdrawals.some((one) => isReportedUntil(one, value)) ||
    withdrawn.some((one) => one.report_id === value.report_id && isReportedUntil(one, value));
  const valid = values.filter((value) => !isWithdrawn(value));
  const [first] = valid.toSorted((a, b) => (replaces(a, b) ? -1 : 1));
  if (!first) {
    const [newest] = values.toSorted((a, b) => (replaces(a, b) ? -1 : 1));
    // A group has at least one value.
    return { value: withoutContent(newest!), others: values };
  }
  // `withdrawn` is not valid.
  return { value: first as StoredObservation, others: values.filter((value) => value !== first) };
}

/** Whether a value was reported until a withdrawal. Without the times of both messages, that of one report time was. */
function isReportedUntil(
  withdrawal: Pick<LabReport, "reported_at" | "sent_at">,
  { reported_at, sent_at }: ReceivedObservation,
): boolean {
  if (withdrawal.reported_at !== reported_at) return withdrawal.reported_at > reported_at;
  return withdrawal.sent_at === undefined || sent_at === undefined || withdrawal.sent_at >= sent_at;
}

/** A withdrawn value as it counts from then on: cancelled, with the laboratory's note on the withdrawal. */
function withoutContent(value: ReceivedObservation): StoredObservation {
  const note = value.status === "withdrawn" ? value.note : null;
  return { ...value, value: "", flag: "", note, status: "cancelled", is_withdrawn: true };
}

/** A value as a text, equal for equal values. */
export const textOf = (value: Omit<ReceivedObservation, "report_id" | "sent_at">): string =>
  JSON.stringify(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));

function replaces(value: ReceivedObservation, before: ReceivedObservation): boolean {
  const [after, earlier] = [rank[value.status], rank[before.status]];
  if (after !== earlier) return after > earlier;
  if (value.reported_at !== before.reported_at) return value.reported_at > before.reported_at;
  const [sent = "", sentBefore = ""] = [value.sent_at, before.sent_at];
  if (sent !== sentBefore) return sent > sentBefore;
  // Any tie-break works that does not depend on the order of arrival.
  return textOf(value) > textOf(before);
}
