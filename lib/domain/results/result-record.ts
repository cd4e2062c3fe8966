import { digestReport, type LabReport, type Observation } from "./lab-report.ts";
import {
  type MergedObservations,
  mergeObservations,
  observationKey,
  type ReceivedObservation,
  type StoredObservation,
  textOf,
} from "./merge-observations.ts";

export { observationKey, type StoredObservation };

/** A report that an order has. */
interface MergedReport extends Pick<LabReport, "report_id" | "status" | "reported_at" | "sent_at"> {
  /** Digest of the content. Absent for reports that an earlier version received. */
  readonly digest?: string;
}

/** Stored results of one order, merged from its reports: one observation for each code and sub-id. */
export interface ResultRecord extends Omit<LabReport, "report_id" | "status" | "sent_at" | "observations"> {
  readonly order_id: string;
  /** Merged reports, oldest first. Merging a report again has no effect. */
  readonly reports: readonly MergedReport[];
  readonly observations: readonly StoredObservation[];
  /** Values that do not count: replaced or withdrawn ones, and withdrawals. */
  readonly others?: readonly ReceivedObservation[];
}

/**
 * Merges a report into the results of an order. The outcome does not depend on the order of arrival: of two values with
 * the same key the corrected value wins, then the final one, then the one reported and sent last. A withdrawal hides what was reported before.
 */
export function mergeReport(record: ResultRecord | undefined, orderId: string, report: LabReport): ResultRecord {
  const { observations: _, status: _s, report_id: _r, sent_at: _t, ...about } = report;
  const reports = withReport(record?.reports ?? [], report);
  const merged = mergeValues(record, report, reports);
  const { others: __, ...known } = record ?? {};
  return {
    ...about,
    ...known,
    ...(reports.at(-1)?.digest === digestReport(report) ? about : {}),
    order_id: orderId,
    reports,
    observations: merged.observations,
    ...(merged.others.length > 0 ? { others: merged.others } : {}),
  };
}

/** Statuses of reports of one time, the newest last. */
const STATUSES: readonly LabReport["status"][] = ["partial", "final", "corrected", "withdrawn"];

const sortKeyOf = ({ reported_at, sent_at = "", report_id, status, digest = "" }: MergedReport): string =>
  `${reported_at} ${sent_at} ${report_id} ${STATUSES.indexOf(status)} ${digest}`;

/** Oldest first, independent of the order of arrival. */
const compareReports = (one: MergedReport, other: MergedReport): number => (sortKeyOf(one) < sortKeyOf(other) ? -1 : 1);

/** Adds a report to others, oldest first. Of one report in several messages, the last one that was sent is kept. */
function withReport(reports: readonly MergedReport[], report: LabReport): MergedReport[] {
  const { report_id, status, reported_at } = report;
  const digest = digestReport(report);
  const [same, others] = [
    reports.filter((one) => one.digest === digest),
    reports.filter((one) => one.digest !== digest),
  ];
  const sent_at = [report, ...same]
    .flatMap((one) => one.sent_at ?? [])
    .toSorted()
    .at(-1);
  const seen = { report_id, status, reported_at, ...(sent_at === undefined ? {} : { sent_at }), digest };
  return [...others, seen].toSorted(compareReports);
}

function mergeValues(
  record: ResultRecord | undefined,
  { report_id, status, observations, reported_at, sent_at, sample_id }: LabReport,
  reports: readonly MergedReport[],
): MergedObservations {
  const origin = { reported_at, ...(sent_at === undefined ? {} : { sent_at }), sample_id, report_id };
  // A report that is withdrawn as a whole has no values.
  const received = status === "withdrawn" ? [] : observations.map((observation) => ({ ...observation, ...origin }));
  const withdrawn = reports.filter((one) => one.status === "withdrawn");
  return mergeObservations([...listReceived(record), ...received], withdrawn);
}

/** Everything that was received before. A record of an earlier version names no reports of its values. */
function listReceived(record: ResultRecord | undefined): ReceivedObservation[] {
  if (!record) return [];
  const [only, ...more] = record.reports;
  const unnamed = only && more.length === 0 ? { report_id: only.report_id } : {};
  const counting = record.observations.filter(({ is_withdrawn }) => !is_withdrawn);
  return [...counting, ...(record.others ?? [])].map((value) => ({ ...value, ...(value.report_id ? {} : unnamed) }));
}

/**
 * Whether a record already contains a report: its number, status, time and content. A laboratory can report the parts of an
 * order one after the other under one number and time, or return to an earlier content.
 */
export function hasReport(record: ResultRecord | undefined, report: LabReport): boolean {
  const digest = digestReport(report);
  const alike = (record?.reports ?? []).filter((one) =>
    one.digest === undefined ? isNamedAlike(one, report) : one.digest === digest,
  );
  return alike.length > 0 && !changesValues(record, report);
}

const isNamedAlike = ({ report_id, status, reported_at }: MergedReport, report: LabReport): boolean =>
  report_id === report.report_id && status === report.status && reported_at === report.reported_at;

/** Whether a report changes what a record contains, apart from the message and, in earlier versions, the report of a value. */
function changesValues(record: ResultRecord | undefined, report: LabReport): boolean {
  const contentsOf = ({ observations, others }: MergedObservations) =>
    new Set([...observations, ...others].map(({ report_id: _, sent_at: __, ...value }) => textOf(value)));
  const reports = record?.reports ?? [];
  const before = mergeObservations(
    listReceived(record),
    reports.filter(({ status }) => status === "withdrawn"),
  );
  const after = mergeValues(record, report, withReport(reports, report));
  return contentsOf(before).symmetricDifference(contentsOf(after)).size > 0;
}

/** Whether results are final: one report was final or corrected. A late partial report does not reopen them. */
export const isFinalResult = ({ reports }: ResultRecord): boolean =>
  reports.some(({ status }) => status === "final" || status === "corrected");

/** State of a reported value. */
export type ValueState = Exclude<Observation["status"], "cancelled" | "withdrawn">;

/** States of the values of a record, in the order of `toWireResult`. */
export const valueStatesOf = ({ observations }: ResultRecord): ValueState[] =>
  observations.flatMap(({ status }) => (status === "cancelled" ? [] : [status]));
