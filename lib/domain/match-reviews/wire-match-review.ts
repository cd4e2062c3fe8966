import * as z from "zod";
import { openEnum } from "../../contract/open-enum.ts";

/** Known decisions of matching. */
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

/** Match review, as its events carry it. */
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
