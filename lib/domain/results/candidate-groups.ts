import type { LabReport } from "./lab-report.ts";
import { type CandidateOrder, isSamePerson, type MatchDecision, orderStandingOf } from "./match-report.ts";
import type { MatchCandidate, UnmatchedResult } from "./wire-unmatched-result.ts";

/** Points that each kind of agreement adds to a candidate's score; the sum is 1. */
const POINTS = { number: 0.5, person: 0.3, lab: 0.1, tests: 0.1 } as const;
/** Minimum scores of a high and a medium confidence level. */
const HIGH_SCORE = 0.8;
const MEDIUM_SCORE = 0.4;

/** Converts the candidate orders of a report, grouped by user. */
export function toCandidateGroups(
  report: LabReport,
  { candidates }: MatchDecision,
): UnmatchedResult["candidate_groups"] {
  const users = [...new Set(candidates.map(({ user_id }) => user_id))];
  return users.map((user_id) => ({
    user_id,
    candidates: candidates.filter((order) => order.user_id === user_id).map((order) => toCandidate(report, order)),
  }));
}

const statusReasons = {
  open: [],
  completed: ["matched_completed_order"],
  cancelled: ["matched_cancelled_order"],
  not_collected: ["invalid_collection_state"],
} as const;

function toCandidate(report: LabReport, order: CandidateOrder): MatchCandidate {
  const hasSample = order.sample_id !== null && order.sample_id === report.sample_id;
  const isNumbered = hasSample || (order.requisition !== null && order.requisition === report.requisition);
  const isPerson = isSamePerson(order.patient, report.patient);
  const isLab = order.lab === report.lab;
  const overlap = markerOverlap(report, order);
  const isOtherAccount =
    report.account_number !== null && order.account_number !== null && report.account_number !== order.account_number;
  const score =
    Number(isNumbered) * POINTS.number +
    Number(isPerson) * POINTS.person +
    Number(isLab) * POINTS.lab +
    Number(overlap.kind !== "none") * POINTS.tests;
  return {
    candidate_type: isNumbered ? "provenance_order" : "order_option",
    order_id: order.order_id,
    order_transaction_id: order.order_transaction_id,
    last_status: order.level,
    confidence_level: score >= HIGH_SCORE ? "high" : score >= MEDIUM_SCORE ? "medium" : "low",
    confidence_score: Math.round(score * 100) / 100,
    reasons: [
      ...(isNumbered ? ["sample_id_match"] : []),
      isPerson ? "demographic_match" : "demographic_mismatch",
      isLab ? "same_lab" : "possible_wrong_lab",
      ...(isOtherAccount ? ["lab_account_mismatch"] : []),
      ...statusReasons[orderStandingOf(order)],
      `marker_overlap_${overlap.kind}`,
    ],
    marker_overlap: { ordered: order.test_codes.length, reported: overlap.reported, common: overlap.common },
    status_context: { standing: orderStandingOf(order) },
  };
}

/** Overlap of the ordered and the reported tests, by the laboratory's test codes. */
function markerOverlap(report: LabReport, { test_codes }: CandidateOrder) {
  const reported = new Set(report.observations.flatMap(({ test_code }) => test_code ?? []));
  const common = test_codes.filter((code) => reported.has(code)).length;
  const isExact = common === test_codes.length && common === reported.size && common > 0;
  const kind = isExact ? "exact" : common > 0 ? "partial" : "none";
  return { kind, reported: reported.size, common } as const;
}
