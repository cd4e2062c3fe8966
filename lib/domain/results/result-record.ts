import type { LabReport, Observation } from "./lab-report.ts";

/** A value with the instant at which the laboratory reported it. */
export interface KeptObservation extends Observation {
  readonly reported_at: string;
  readonly sample_id: string | null;
}

/** The results of one order as stored: everything that its reports said, each value once. */
export interface ResultRecord extends Omit<LabReport, "report_id" | "status" | "observations"> {
  readonly order_id: string;
  /** The reports that are in it, by number and state; the same report a second time changes nothing. */
  readonly reports: readonly Pick<LabReport, "report_id" | "status" | "reported_at">[];
  readonly observations: readonly KeptObservation[];
}

/** What a later state of a value replaces, whenever it comes. */
const rank: Readonly<Record<Observation["status"], number>> = { preliminary: 0, cancelled: 1, final: 1, corrected: 2 };

/** Two values of the same thing: by LOINC code where there is one, else by the laboratory's code. */
export const measured = ({ loinc, code }: Pick<Observation, "loinc" | "code">): string => loinc ?? code;

/**
 * The results of an order with another report. The order in which reports come does not matter: of two values of the same
 * thing the corrected one stands, else the final one, else the one reported last.
 */
export function withReport(record: ResultRecord | undefined, orderId: string, report: LabReport): ResultRecord {
  const { observations, status, report_id, ...about } = report;
  const kept = new Map((record?.observations ?? []).map((value) => [measured(value), value]));
  for (const observation of observations) {
    const value = { ...observation, reported_at: report.reported_at, sample_id: report.sample_id };
    const before = kept.get(measured(value));
    if (before === undefined || replaces(value, before)) kept.set(measured(value), value);
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
    observations: [...kept.values()].toSorted((a, b) => (measured(a) < measured(b) ? -1 : 1)),
  };
}

function replaces(value: KeptObservation, before: KeptObservation): boolean {
  const [after, earlier] = [rank[value.status], rank[before.status]];
  if (after !== earlier) return after > earlier;
  if (value.reported_at !== before.reported_at) return value.reported_at > before.reported_at;
  // Of one instant, any rule will do that does not depend on which came first.
  return JSON.stringify(value) > JSON.stringify(before);
}

/** Whether a report is in a record already, in the same state. */
export function hasReport(record: ResultRecord | undefined, report: LabReport): boolean {
  return (record?.reports ?? []).some(
    ({ report_id, status, reported_at }) =>
      report_id === report.report_id && status === report.status && reported_at === report.reported_at,
  );
}

/** Final once a report was; a partial one that comes late does not make it partial again. */
export const isFinal = ({ reports }: ResultRecord): boolean => reports.some(({ status }) => status !== "partial");

/** How settled a value is. */
export type ValueState = Exclude<Observation["status"], "cancelled">;

/** How settled the values of a record are, in the order in which toWireResult answers them. */
export const statesOf = ({ observations }: ResultRecord): ValueState[] =>
  observations.flatMap(({ status }) => (status === "cancelled" ? [] : [status]));
