import * as z from "zod";
import { openEnum, typedOpenEnum, typedString } from "../../contract/open-enum.ts";
import type { LowLevelStatus } from "../orders/lifecycle/order-status.ts";
import { interpretations } from "../orders/wire-order.ts";
import { reviewActions, wireMatchReview } from "./wire-match-review.ts";
import { resultStatuses } from "./wire-result.ts";

const text = z.string().nullable();
const phiText = text.meta({ phi: true });

const candidate = z.object({
  candidate_type: openEnum(["provenance_order", "order_option"]),
  order_id: z.guid().nullable(),
  order_transaction_id: z.guid().nullable(),
  last_status: typedString<LowLevelStatus>().nullable(),
  confidence_level: openEnum(["high", "medium", "low"]),
  confidence_score: z.number().nullable(),
  reasons: z.array(
    openEnum([
      "sample_id_match",
      "lab_account_mismatch",
      "matched_completed_order",
      "matched_cancelled_order",
      "invalid_collection_state",
      "demographic_mismatch",
      "demographic_match",
      "possible_wrong_lab",
      "same_lab",
      "same_user",
      "marker_overlap_exact",
      "marker_overlap_partial",
      "marker_overlap_none",
    ]),
  ),
  marker_overlap: z.record(z.string(), z.unknown()).nullable(),
  status_context: z.record(z.string(), z.unknown()).nullable(),
});
export type MatchCandidate = z.output<typeof candidate>;

/** Unmatched result: a result without a certain order, with its candidate orders. */
export const wireUnmatchedResult = wireMatchReview
  .extend({
    reason: z.string(),
    patient: z
      .object({
        first_name: phiText,
        last_name: phiText,
        dob: z.iso.datetime({ offset: true }).nullable().meta({ phi: true }),
        gender: phiText,
      })
      .nullable(),
    lab: z.object({ id: z.int(), name: z.string(), slug: z.string() }),
    markers: z.array(z.object({ provider_id: text, name: text })),
    interpretation: typedOpenEnum(interpretations).nullable(),
    result_status: typedOpenEnum(resultStatuses).nullable(),
    note: text,
    allowed_actions: z.array(typedOpenEnum(reviewActions)),
    candidate_groups: z.array(z.object({ user_id: z.guid().nullable(), candidates: z.array(candidate) })),
    created_at: z.iso.datetime({ offset: true }),
    updated_at: z.iso.datetime({ offset: true }),
    reviewed_at: z.iso.datetime({ offset: true }).nullable(),
  })
  .meta({ id: "UnmatchedResult" });
export type UnmatchedResult = z.output<typeof wireUnmatchedResult>;

/** Path parameters of the routes of one unmatched result. */
export const reviewParams = z.object({
  raw_result_id: z.guid().toLowerCase().meta({ description: "Id of the unmatched result" }),
});

const note = z.string().max(2_000).nullish();

/** Request to accept a result; the order is optional if only one candidate exists. */
export const reviewAcceptance = z.object({
  user_id: z.guid().toLowerCase().nullish().describe("User of the candidate order"),
  order_id: z.guid().toLowerCase().nullish().describe("Candidate order; optional if there is only one"),
  note,
});

/** Request to reject a result, or to report that the team is unsure. */
export const reviewResolution = z.object({
  action: z.enum(["reject", "unsure"]).describe("reject is final; unsure passes the result to another person once"),
  note,
});
