import type { LabReport, Observation } from "./lab-report.ts";
import {
  mergeObservations,
  observationKey,
  type ReceivedObservation,
  type StoredObservation,
} from "./merge-observations.ts";

export { observationKey, type StoredObservation };

/** Stored results of one order, merged from its reports: one observation for each code and sub-id. */
export interface ResultRecord extends Omit<LabReport, "report_id" | "status" | "observations"> {
  readonly order_id: string;
  /** Merged reports, identified by number and status. Merging a report again has no effect. */
  readonly reports: readonly Pick<LabReport, "report_id" | "status" | "reported_at">[];
  readonly observations: readonly StoredObservation[];
  /** Values that do not count: replaced or withdrawn ones, and withdrawals. */
  readonly others?: readonly ReceivedObservation[];
}

/**
 * Merges a report into the results of an order. The outcome does not depend on the order of arrival: of two values with
 * the same key the corrected value wins, then the final one, then the one reported last. A withdrawal hides what was reported before.
 */
export function mergeReport(record: ResultRecord | undefined, orderId: string, report: LabReport): ResultRecord {
  const { observations, status, report_id, ...about } = report;
  const seen = { report_id, status, reported_at: report.reported_at };
  const reports = hasReport(record, report) ? (record?.reports ?? []) : [...(record?.reports ?? []), seen];
  const inOrder = reports.toSorted((a, b) =>
    `${a.reported_at} ${a.report_id}` < `${b.reported_at} ${b.report_id}` ? -1 : 1,
  );
  const origin = { reported_at: report.reported_at, sample_id: report.sample_id, report_id };
  // A report that is withdrawn as a whole has no values.
  const received = status === "withdrawn" ? [] : observations.map((observation) => ({ ...observation, ...origin }));
  const withdrawn = inOrder.filter((one) => one.status === "withdrawn");
  const merged = mergeObservations([...listReceived(record), ...received], withdrawn);
  const { others: _, ...before } = record ?? {};
  return {
    ...about,
    ...before,
    ...(inOrder.at(-1)?.report_id === report_id ? about : {}),
    order_id: orderId,
    reports: inOrder,
    observations: merged.observations,
    ...(merged.others.length > 0 ? { others: merged.others } : {}),
  };
}

/** Everything that was received before. A record of an earlier version names no reports of its values. */
function listReceived(record: ResultRecord | undefined): ReceivedObservation[] {
  if (!record) return [];
  const [only, ...more] = record.reports;
  const unnamed = only && more.length === 0 ? { report_id: only.report_id } : {};
  const counting = record.observations.filter(({ is_withdrawn }) => !is_withdrawn);
  return [...counting, ...(record.others ?? [])].map((value) => ({ ...value, ...(value.report_id ? {} : unnamed) }));
}

/** Whether a record already contains a report with the same status. */
export function hasReport(record: ResultRecord | undefined, report: LabReport): boolean {
  return (record?.reports ?? []).some(
    ({ report_id, status, reported_at }) =>
      report_id === report.report_id && status === report.status && reported_at === report.reported_at,
  );
}

/** Whether results are final: one report was final or corrected. A late partial report does not reopen them. */
export const isFinalResult = ({ reports }: ResultRecord): boolean =>
  reports.some(({ status }) => status === "final" || status === "corrected");

/** State of a reported value. */
export type ValueState = Exclude<Observation["status"], "cancelled" | "withdrawn">;

/** States of the values of a record, in the order of `toWireResult`. */
export const valueStatesOf = ({ observations }: ResultRecord): ValueState[] =>
  observations.flatMap(({ status }) => (status === "cancelled" ? [] : [status]));
