import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";

/** Why the order of a result is not certain, as known today. */
export const decisionCodes = [
  "match_sample_id",
  "match_completed",
  "match_cancelled",
  "wrong_collection",
  "wrong_lab",
  "multiple_demo_match",
  "match_sample_id_mismatch_demo",
  "match_demo",
  "no_match",
];

/** The review of a result whose order is not certain, as its events tell it. */
export const wireMatchReview = z
  .object({
    id: z.guid(),
    status: openEnum(["matched", "pending_customer_review", "pending_ops_review", "resolved"]),
    decision_code: openEnum(decisionCodes),
    sub_reason_codes: z.array(openEnum(["lab_account_mismatch"])),
    resolution_action: openEnum(["accept", "reject", "unsure"]).nullable(),
    resolved_user_id: z.guid().nullable(),
    resolved_order_id: z.guid().nullable(),
  })
  .meta({ id: "MatchReview" });
