import * as z from "zod";
import { openEnum, typedString } from "../../contract/open-enum.ts";
import { queryInteger } from "../../contract/shared-schemas.ts";
import { knownLab } from "../lab-tests/labs.ts";
import type { LabReport } from "./lab-report.ts";
import { type MatchDecisionCode, matchDecisionCodes } from "./match-report.ts";
import { reviewStatuses } from "./wire-match-review.ts";
import type { UnmatchedResult } from "./wire-unmatched-result.ts";

/** Stored review with its report. */
export interface ReviewRecord {
  readonly review: UnmatchedResult;
  readonly report: LabReport;
  /** Number of changes, for optimistic concurrency. */
  readonly revision: number;
}

/** Fields that review lists filter by, stored with each review. */
export const reviewListing = z.object({
  id: z.string(),
  created_at: z.string(),
  status: typedString<UnmatchedResult["status"]>(),
  decision_code: typedString<MatchDecisionCode>(),
  lab: z.string(),
  patient_name: z.string(),
  patient_dob: z.string().nullable(),
  /** Users with candidate orders, and the user of the accepted order. */
  user_ids: z.array(z.string()),
});
export type ReviewListing = z.output<typeof reviewListing>;

/** Projects a review to its listing. */
export function toReviewListing({ review }: Pick<ReviewRecord, "review">): ReviewListing {
  const { id, created_at, status, decision_code, lab, patient, candidate_groups, resolved_user_id } = review;
  const users = [...candidate_groups.map(({ user_id }) => user_id), resolved_user_id];
  return {
    ...{ id, created_at, status, decision_code },
    lab: lab.slug,
    patient_name: `${patient?.first_name ?? ""} ${patient?.last_name ?? ""}`.trim(),
    patient_dob: patient?.dob?.slice(0, 10) ?? null,
    user_ids: [...new Set(users.filter((user) => user !== null))],
  };
}

/** Filter of a review list; a review must match every given field. */
export const reviewFilter = z.object({
  decision_code: openEnum(matchDecisionCodes).max(100).nullish(),
  lab_slug: knownLab.nullish(),
  status: openEnum(reviewStatuses).max(100).nullish(),
  created_at_start: z.iso.date().nullish().describe("In UTC, included"),
  created_at_end: z.iso.date().nullish().describe("In UTC, included"),
  search_input: z.string().trim().max(200).nullish().describe("Part of the patient's name, or the date of birth"),
});
export type ReviewFilter = z.output<typeof reviewFilter>;

/** Page parameters of a review list. */
export const reviewPage = {
  limit: queryInteger(1, 100).default(50),
  next_cursor: z.string().max(2_000).nullish().describe("From the response for the previous page"),
};

/** Bounds of the creation time of a filter, ISO 8601, both included; `"0"` and `"9"` stand for open bounds. */
export const createdBetween = ({ created_at_start: from, created_at_end: to }: ReviewFilter): [string, string] => [
  from ? `${from}T00:00:00.000Z` : "0",
  to ? `${to}T23:59:59.999Z` : "9",
];

/** Whether a review matches a filter, apart from its creation time. */
export function matchesReviewFilter(
  review: ReviewListing,
  { decision_code, lab_slug, status, search_input }: ReviewFilter,
) {
  const wanted = (search_input ?? "").toLowerCase();
  const isFound = review.patient_dob === wanted || review.patient_name.toLowerCase().includes(wanted);
  return (
    (!decision_code || review.decision_code === decision_code) &&
    (!lab_slug || review.lab === lab_slug) &&
    (!status || review.status === status) &&
    (wanted === "" || isFound)
  );
}
