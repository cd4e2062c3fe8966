import * as z from "zod";
import { typedOpenEnum } from "../../contract/open-enum.ts";
import { matchDecisionCodes } from "./match-report.ts";

/** Known statuses of a stored review. */
export const reviewStatuses = ["pending_customer_review", "pending_ops_review", "resolved"] as const;

/** Known actions of a reviewer. */
export const reviewActions = ["accept", "reject", "unsure"] as const;
export type ReviewAction = (typeof reviewActions)[number];

/** Match review, as its events carry it. */
export const wireMatchReview = z
  .object({
    id: z.guid(),
    status: typedOpenEnum(["matched", ...reviewStatuses]),
    decision_code: typedOpenEnum(matchDecisionCodes),
    sub_reason_codes: z.array(typedOpenEnum(["lab_account_mismatch"])),
    resolution_action: typedOpenEnum(reviewActions).nullable(),
    resolved_user_id: z.guid().nullable(),
    resolved_order_id: z.guid().nullable(),
  })
  .meta({ id: "MatchReview" });
