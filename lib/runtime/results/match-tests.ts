import type { MatchTest, MatchTestStage } from "../../domain/match-reviews/match-test.ts";
import { matchTestSettings } from "../../domain/match-reviews/match-test-cases.ts";
import { currentLevel, wayOf } from "../../domain/orders/order-move.ts";
import type { OrderRecord } from "../../domain/orders/order-record.ts";
import { ReportRefused } from "../../domain/results/lab-report.ts";
import { standingOf } from "../../domain/results/match-report.ts";
import type { MatchReviewStore } from "../../store/results/match-reviews.ts";
import type { MatchTestStore } from "../../store/results/match-tests.ts";
import { ApiError } from "../errors.ts";
import { labTestOf, type Placer } from "../order-ground.ts";
import { isoNow } from "../ports.ts";
import { matchTestReport } from "./match-test-report.ts";
import { reviewIdOf } from "./opening-reviews.ts";
import { type SimulatorUses, simulatedReport } from "./simulated-report.ts";
import { type TakingUses, takeReport } from "./taking-reports.ts";
import { draftTestOrder, makeTestOrder, type TestOrderUses, unwritten } from "./test-orders.ts";

/** Dependencies of a match test. */
export interface MatchTestUses extends TakingUses, TestOrderUses, SimulatorUses {
  readonly matchTests: MatchTestStore;
  readonly matchReviews: MatchReviewStore;
  readonly orders: TestOrderUses["orders"];
  readonly users: TestOrderUses["users"];
  readonly outbox: TestOrderUses["outbox"];
  readonly orderPlacements: TestOrderUses["orderPlacements"];
}

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
  readonly placer: Placer;
  test: MatchTest;
}

/**
 * Runs a match test: creates the orders of its case, then a report, which it receives like a real report. A repeated
 * run is safe, since the ids of orders, message and review derive from the run id.
 */
export async function runMatchTest(placer: Placer, test: MatchTest, uses: MatchTestUses): Promise<void> {
  const run: Run = { placer, test: { ...test, status: "running", started_at: test.started_at ?? isoNow() } };
  try {
    const raw_result_id = await reviewOf(run, uses);
    await note(run, "succeeded", uses, { status: "succeeded", raw_result_id, completed_at: isoNow() });
  } catch (error) {
    const isExplained = error instanceof TestFailed || error instanceof ReportRefused || error instanceof ApiError;
    if (!isExplained) throw error;
    const code = error instanceof TestFailed ? error.code : "not_possible";
    const failure = { code, message: error.message };
    await note(run, "failed", uses, { status: "failed", error: failure, completed_at: isoNow() });
  }
}

async function note(run: Run, stage: MatchTestStage, { matchTests }: MatchTestUses, more: Partial<MatchTest> = {}) {
  run.test = { ...run.test, ...more, stage, updated_at: isoNow() };
  await matchTests.put(run.placer.scope, run.test);
}

/** @returns the id of the resulting review. */
async function reviewOf(run: Run, uses: MatchTestUses): Promise<string> {
  const { scope } = run.placer;
  const record = await orderOf(run, uses);
  await note(run, "writing_result", uses);
  const report = await matchTestReport(
    run.test,
    record,
    await wrongLabOf(run, record, uses),
    run.test.created_at,
    uses,
  );
  await note(run, "matching_result", uses);
  const control = `test-${run.test.run_id}`;
  await takeReport(run.placer, { report, control }, uses);
  await note(run, "verifying_review", uses);
  const id = reviewIdOf(scope, { lab: report.lab, control });
  const found = await uses.matchReviews.get(scope, id);
  if (!found) throw new TestFailed("no_review", "The report was accepted without a review.");
  const { decision_code: decision } = found.review;
  if (decision !== run.test.case) throw new TestFailed("unexpected_decision", `The report was matched as ${decision}.`);
  return id;
}

/** Prepares the order that the report is based on. A case without orders uses an order that is not stored. */
async function orderOf(run: Run, uses: MatchTestUses): Promise<OrderRecord> {
  await note(run, "validating", uses);
  const roles = Object.entries(matchTestSettings[run.test.case].roles);
  if (roles.length === 0) {
    const { order } = await draftTestOrder(run.placer, run.test, "nobody", run.placer.team.team_id, uses);
    return unwritten(order);
  }
  if (run.test.order_source === "managed") await makeOrders(run, roles, uses);
  const records = await Promise.all(
    roles.map(([role]) => uses.orders.get(run.placer.scope, run.test.order_ids[role] ?? "")),
  );
  for (const [place, [role, standing]] of roles.entries()) {
    const order = records[place]?.order;
    const isThere = order && (await uses.users.get(run.placer.scope, order.user_id));
    if (!isThere) throw new TestFailed("order_not_found", `The role ${role} has no order.`);
    const stands = standingOf({ way: wayOf(order), level: currentLevel(order) });
    if (stands !== standing)
      throw new TestFailed("order_status", `The order for the role ${role} has the status ${currentLevel(order)}.`);
  }
  return records[0]!;
}

async function makeOrders(run: Run, roles: readonly (readonly [string, string])[], uses: MatchTestUses): Promise<void> {
  await note(run, "creating_orders", uses);
  for (const [role, standing] of Object.entries(matchTestSettings[run.test.case].roles)) {
    const id = await makeTestOrder(run.placer, run.test, role, standing, uses);
    run.test = { ...run.test, order_ids: { ...run.test.order_ids, [role]: id } };
  }
  await note(run, "transitioning_orders", uses);
  if (!roles.some(([, standing]) => standing === "completed")) return;
  const [id = ""] = Object.values(run.test.order_ids);
  const record = await uses.orders.get(run.placer.scope, id);
  if (!record) throw new TestFailed("order_not_found", "The order of the test no longer exists.");
  const flags = { interpretation: "normal", result_types: null, has_missing_results: false } as const;
  const report = await simulatedReport(record, "final", flags, run.test.created_at, uses);
  await takeReport(run.placer, { report, control: `result-${run.test.run_id}` }, uses);
}

/** Selects the laboratory that reports instead of the order's. */
async function wrongLabOf({ placer, test }: Run, { order }: OrderRecord, uses: MatchTestUses): Promise<string> {
  const lab = order.lab_test.lab?.slug;
  if (test.case !== "wrong_lab") return lab ?? "";
  if (!test.wrong_lab_test_id) return lab === "labcorp" ? "quest" : "labcorp";
  const wanted = { lab_test_ids: [test.wrong_lab_test_id], method: undefined, requested: undefined };
  const other = (await labTestOf(placer, wanted, uses)).lab?.slug;
  if (!other || other === lab)
    throw new TestFailed("lab_constraint", "wrong_lab_test_id belongs to the order's laboratory.");
  return other;
}
