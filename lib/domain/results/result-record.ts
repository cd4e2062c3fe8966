import { codeOf } from "./distinguish-repeats.ts";
import type { LabReport, Observation } from "./lab-report.ts";

/** Observation with the time and the sample id of its report. */
export interface StoredObservation extends Observation {
  readonly reported_at: string;
  readonly sample_id: string | null;
}

/** Stored results of one order, merged from its reports: one observation for each code and sub-id. */
export interface ResultRecord extends Omit<LabReport, "report_id" | "status" | "observations"> {
  readonly order_id: string;
  /** Merged reports, identified by number and status. Merging a report again has no effect. */
  readonly reports: readonly Pick<LabReport, "report_id" | "status" | "reported_at">[];
  readonly observations: readonly StoredObservation[];
}

/** Precedence of statuses: a higher rank replaces a lower one, in whatever order the reports arrive. */
const rank: Readonly<Record<Observation["status"], number>> = { preliminary: 0, cancelled: 1, final: 1, corrected: 2 };

/** Key of an observation: its LOINC code, or else the laboratory's code, with the sub-id if it has one. */
export const observationKey = (observation: Pick<Observation, "loinc" | "code" | "sub_id">): string =>
  observation.sub_id === undefined ? codeOf(observation) : `${codeOf(observation)}#${observation.sub_id}`;

/**
 * Merges a report into the results of an order. The outcome does not depend on the order of arrival: of two values with
 * the same key the corrected value wins, then the final one, then the one reported last.
 */
export function mergeReport(record: ResultRecord | undefined, orderId: string, report: LabReport): ResultRecord {
  const { observations, status, report_id, ...about } = report;
  const kept = new Map((record?.observations ?? []).map((value) => [observationKey(value), value]));
  for (const observation of observations) {
    const value = { ...observation, reported_at: report.reported_at, sample_id: report.sample_id };
    const before = kept.get(observationKey(value));
    if (before === undefined || replaces(value, before)) kept.set(observationKey(value), value);
  }
  const seen = { report_id, status, reported_at: report.reported_at };
  const reports = hasReport(record, report) ? (record?.reports ?? []) : [...(record?.reports ?? []), seen];
  const inOrder = reports.toSorted((a, b) =>
    `${a.reported_at} ${a.report_id}` < `${b.reported_at} ${b.report_id}` ? -1 : 1,
  );
  return {
    ...(record ?? about),
    ...(inOrder.at(-1)?.report_id === report_id ? about : {}),
    order_id: orderId,
    reports: inOrder,
    observations: [...kept.values()].toSorted((a, b) => (observationKey(a) < observationKey(b) ? -1 : 1)),
  };
}

function replaces(value: StoredObservation, before: StoredObservation): boolean {
  const [after, earlier] = [rank[value.status], rank[before.status]];
  if (after !== earlier) return after > earlier;
  if (value.reported_at !== before.reported_at) return value.reported_at > before.reported_at;
  // Any tie-break works that does not depend on the order of arrival.
  return JSON.stringify(value) > JSON.stringify(before);
}

/** Whether a record already contains a report with the same status. */
export function hasReport(record: ResultRecord | undefined, report: LabReport): boolean {
  return (record?.reports ?? []).some(
    ({ report_id, status, reported_at }) =>
      report_id === report.report_id && status === report.status && reported_at === report.reported_at,
  );
}

/** Whether results are final: one report was final or corrected. A late partial report does not reopen them. */
export const isFinalResult = ({ reports }: ResultRecord): boolean => reports.some(({ status }) => status !== "partial");

/** State of a reported value. */
export type ValueState = Exclude<Observation["status"], "cancelled">;

/** States of the values of a record, in the order of `toWireResult`. */
export const valueStatesOf = ({ observations }: ResultRecord): ValueState[] =>
  observations.flatMap(({ status }) => (status === "cancelled" ? [] : [status]));
