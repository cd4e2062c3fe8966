import { conditionCheckItem, getItem, grants, putItem, queryItems } from "../../contract/access.ts";
import { matchReviews, matchTests, orders, reservations, users } from "../../contract/resources.ts";
import { createUserKeyAccess } from "../../contract/user-key-access.ts";
import { lowLevelStatus, workflowOf } from "../../domain/orders/lifecycle/order-transitions.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { ReportRefused } from "../../domain/results/lab-report.ts";
import { type OrderStanding, orderStandingOf } from "../../domain/results/match-report.ts";
import type { MatchTest, MatchTestStage } from "../../domain/results/match-test.ts";
import { matchTestSettings } from "../../domain/results/match-test-cases.ts";
import type { Dependencies } from "../../runtime/dependency-table.ts";
import { ApiError } from "../../runtime/errors.ts";
import { isoNow } from "../../runtime/ports.ts";
import { changeOrderAccess } from "../orders/change-order.ts";
import { type OrderRequester, orderContextAccess, resolveLabTest } from "../orders/order-context.ts";
import { planNewOrderAccess } from "../orders/plan-new-order.ts";
import { createUserAccess } from "../users/create-user.ts";
import { applyReportAccess } from "./apply-report.ts";
import {
  createTestOrder,
  draftTestOrder,
  type MatchTestOrdersDependencies,
  toPendingRecord,
} from "./match-test-orders.ts";
import { createMatchTestReport } from "./match-test-report.ts";
import { matchReviewId } from "./open-review.ts";
import { type ReceiveReportDependencies, receiveReport, receiveReportAccess } from "./receive-report.ts";
import { type SimulateReportDependencies, simulateReport } from "./simulate-report.ts";

/** Dependencies of a match test. */
export type RunMatchTestDependencies = ReceiveReportDependencies &
  MatchTestOrdersDependencies &
  SimulateReportDependencies &
  Dependencies<"matchTests" | "matchReviews"> & {
    readonly orders: MatchTestOrdersDependencies["orders"];
    readonly users: MatchTestOrdersDependencies["users"];
    readonly outbox: MatchTestOrdersDependencies["outbox"];
    readonly orderPlacements: MatchTestOrdersDependencies["orderPlacements"];
  };

/** Grants of {@link runMatchTest}. */
export const runMatchTestAccess = grants(
  [getItem(users), conditionCheckItem(users), putItem(users), ...createUserKeyAccess, getItem(reservations)],
  createUserAccess,
  orderContextAccess,
  changeOrderAccess,
  queryItems(orders, "team_orders"),
  applyReportAccess,
  planNewOrderAccess,
  receiveReportAccess,
  [getItem(matchReviews), getItem(matchTests), putItem(matchTests)],
);

/** Why a match test failed, with a message for the team. */
class TestFailed extends Error {
  override readonly name = "TestFailed";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A running match test with its latest state. */
interface Run {
  readonly requester: OrderRequester;
  test: MatchTest;
}

/**
 * Runs a match test: creates the orders of its case, then a report, which it receives like a real report. A repeated
 * run is safe, since the ids of orders, message and review derive from the run id.
 */
export async function runMatchTest(
  requester: OrderRequester,
  test: MatchTest,
  deps: RunMatchTestDependencies,
): Promise<void> {
  const run: Run = { requester, test: { ...test, status: "running", started_at: test.started_at ?? isoNow() } };
  try {
    const raw_result_id = await produceReview(run, deps);
    await recordStage(run, "succeeded", deps, { status: "succeeded", raw_result_id, completed_at: isoNow() });
  } catch (error) {
    const isExplained = error instanceof TestFailed || error instanceof ReportRefused || error instanceof ApiError;
    if (!isExplained) throw error;
    const code = error instanceof TestFailed ? error.code : "not_possible";
    const failure = { code, message: error.message };
    await recordStage(run, "failed", deps, { status: "failed", error: failure, completed_at: isoNow() });
  }
}

async function recordStage(
  run: Run,
  stage: MatchTestStage,
  { matchTests }: RunMatchTestDependencies,
  more: Partial<MatchTest> = {},
) {
  run.test = { ...run.test, ...more, stage, updated_at: isoNow() };
  await matchTests.put(run.requester.scope, run.test);
}

/** @returns the id of the resulting review. */
async function produceReview(run: Run, deps: RunMatchTestDependencies): Promise<string> {
  const { scope } = run.requester;
  const record = await prepareOrder(run, deps);
  await recordStage(run, "writing_result", deps);
  const report = await createMatchTestReport(
    run.test,
    record,
    await selectWrongLab(run, record, deps),
    nextReportTime(run.test),
    deps,
  );
  await recordStage(run, "matching_result", deps);
  const control = `test-${run.test.run_id}`;
  await receiveReport(run.requester, { report, control }, deps);
  await recordStage(run, "verifying_review", deps);
  const id = matchReviewId(scope, { lab: report.lab, controlId: control });
  const found = await deps.matchReviews.get(scope, id);
  if (!found) throw new TestFailed("no_review", "The report was accepted without a review.");
  const { decision_code: decision } = found.review;
  if (decision !== run.test.case) throw new TestFailed("unexpected_decision", `The report was matched as ${decision}.`);
  return id;
}

/**
 * Returns when the laboratory issues the report of a test, ISO 8601: after the report that completed the order, so that
 * its values replace the former ones. Derived from the test, because a repeated run must send the same message.
 */
const nextReportTime = ({ created_at }: MatchTest) => new Date(Date.parse(created_at) + 1_000).toISOString();

/** Prepares the order that the report is based on. A case without orders uses an order that is not stored. */
async function prepareOrder(run: Run, deps: RunMatchTestDependencies): Promise<OrderRecord> {
  await recordStage(run, "validating", deps);
  const roles = Object.entries(matchTestSettings[run.test.case].roles);
  if (roles.length === 0) {
    const { order } = await draftTestOrder(run.requester, run.test, "nobody", run.requester.team.team_id, deps);
    return toPendingRecord(order);
  }
  if (run.test.order_source === "managed") await createOrders(run, roles, deps);
  const records = await Promise.all(
    roles.map(([role]) => deps.orders.get(run.requester.scope, run.test.order_ids[role] ?? "")),
  );
  for (const [place, [role, standing]] of roles.entries()) {
    const order = records[place]?.order;
    const isThere = order && (await deps.users.get(run.requester.scope, order.user_id));
    if (!isThere) throw new TestFailed("order_not_found", `The role ${role} has no order.`);
    const stands = orderStandingOf({ way: workflowOf(order), level: lowLevelStatus(order) });
    if (stands !== standing)
      throw new TestFailed("order_status", `The order for the role ${role} has the status ${lowLevelStatus(order)}.`);
  }
  return records[0]!;
}

async function createOrders(
  run: Run,
  roles: readonly (readonly [string, OrderStanding])[],
  deps: RunMatchTestDependencies,
): Promise<void> {
  await recordStage(run, "creating_orders", deps);
  for (const [role, standing] of Object.entries(matchTestSettings[run.test.case].roles)) {
    const id = await createTestOrder(run.requester, run.test, role, standing, deps);
    run.test = { ...run.test, order_ids: { ...run.test.order_ids, [role]: id } };
  }
  await recordStage(run, "transitioning_orders", deps);
  if (!roles.some(([, standing]) => standing === "completed")) return;
  const [id = ""] = Object.values(run.test.order_ids);
  const record = await deps.orders.get(run.requester.scope, id);
  if (!record) throw new TestFailed("order_not_found", "The order of the test no longer exists.");
  const flags = { interpretation: "normal", result_types: null, has_missing_results: false } as const;
  const report = await simulateReport(record, "final", flags, run.test.created_at, deps);
  await receiveReport(run.requester, { report, control: `result-${run.test.run_id}` }, deps);
}

/** Selects the laboratory that reports instead of the order's. */
async function selectWrongLab(
  { requester, test }: Run,
  { order }: OrderRecord,
  deps: RunMatchTestDependencies,
): Promise<string> {
  const lab = order.lab_test.lab?.slug;
  if (test.case !== "wrong_lab") return lab ?? "";
  if (!test.wrong_lab_test_id) return lab === "labcorp" ? "quest" : "labcorp";
  const wanted = { lab_test_ids: [test.wrong_lab_test_id], method: undefined, requested: undefined };
  const other = (await resolveLabTest(requester, wanted, deps)).lab?.slug;
  if (!other || other === lab)
    throw new TestFailed("lab_constraint", "wrong_lab_test_id belongs to the order's laboratory.");
  return other;
}
