import * as z from "zod";
import { typedOpenEnum, typedString } from "../../contract/open-enum.ts";
import type { CollectionMethod } from "../lab-tests/wire-lab-test.ts";
import type { LowLevelStatus } from "../orders/lifecycle/order-status.ts";
import { matchDecisionCodes, type OrderStanding } from "./match-report.ts";

/** Reasons for an unmatched report that a team can test: every decision but a certain match. */
export const matchTestCases = matchDecisionCodes.filter((code) => code !== "match_sample_id");
export type MatchTestCase = (typeof matchTestCases)[number];

/** Setup of a test case: the required standing of each order, by role. */
export interface MatchTestSetting {
  readonly roles: Readonly<Record<string, OrderStanding>>;
  readonly labConstraints: readonly string[];
}

/** Setup of each test case. */
export const matchTestSettings: Readonly<Record<MatchTestCase, MatchTestSetting>> = {
  match_completed: { roles: { order: "completed" }, labConstraints: [] },
  match_cancelled: { roles: { order: "cancelled" }, labConstraints: [] },
  wrong_collection: { roles: { order: "not_collected" }, labConstraints: [] },
  wrong_lab: {
    roles: { order: "open" },
    labConstraints: ["wrong_lab_test_id belongs to another laboratory than the order"],
  },
  multiple_demo_match: {
    roles: { first: "open", second: "open" },
    labConstraints: ["both orders are at one laboratory and for the same patient"],
  },
  match_sample_id_mismatch_demo: { roles: { order: "open" }, labConstraints: [] },
  match_demo: { roles: { order: "open" }, labConstraints: [] },
  no_match: { roles: {}, labConstraints: [] },
};

/** Low-level status of a walk-in order for each standing; other collection methods use other statuses. */
const walkInStatuses: Readonly<Record<OrderStanding, LowLevelStatus>> = {
  open: "requisition_created",
  completed: "completed",
  cancelled: "cancelled",
  not_collected: "ordered",
};

/** Statuses that a new order takes in turn until it allows a result, by collection method. */
export const statusPathToOpen: Readonly<Record<CollectionMethod, readonly LowLevelStatus[]>> = {
  walk_in_test: ["requisition_created"],
  at_home_phlebotomy: ["requisition_created", "appointment_pending", "appointment_scheduled", "draw_completed"],
  on_site_collection: ["requisition_created", "draw_completed"],
  testkit: [
    "requisition_created",
    "transit_customer",
    "out_for_delivery",
    "with_customer",
    "transit_lab",
    "delivered_to_lab",
  ],
};

/** Test case, as returned. */
export const wireMatchTestCase = z
  .object({
    case: typedOpenEnum(matchTestCases),
    order_roles: z.array(z.string()),
    required_statuses: z.record(z.string(), typedString<LowLevelStatus>()).describe("Of walk-in orders, by role"),
    lab_constraints: z.array(z.string()),
  })
  .meta({ id: "UnmatchedResultTestCase" });

/** Converts all test cases. */
export const toWireMatchTestCases = (): z.input<typeof wireMatchTestCase>[] =>
  matchTestCases.map((name) => {
    const { roles, labConstraints } = matchTestSettings[name];
    const statuses = Object.entries(roles).map(([role, standing]) => [role, walkInStatuses[standing]]);
    return {
      case: name,
      order_roles: Object.keys(roles),
      required_statuses: Object.fromEntries(statuses),
      lab_constraints: [...labConstraints],
    };
  });
