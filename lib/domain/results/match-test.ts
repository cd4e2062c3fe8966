import * as z from "zod";
import { openEnum, typedOpenEnum } from "../../contract/open-enum.ts";
import type { RequestProblem } from "../lab-tests/select-markers.ts";
import { interpretations } from "../orders/wire-order.ts";
import { matchTestCases, matchTestSettings } from "./match-test-cases.ts";
import { resultStatuses } from "./wire-result.ts";

const id = z.guid().toLowerCase();

/** Request to run a match test. */
export const matchTestDraft = z.object({
  case: z.enum(matchTestCases),
  order_source: z
    .enum(["managed", "provided"])
    .describe("managed: the service creates the orders; provided: the request names them"),
  orders: z
    .record(z.string().max(40), id.nullable())
    .nullish()
    .describe("Order ids by role; only with order_source provided"),
  result_status: z.enum(resultStatuses).default("final"),
  interpretation: z.enum(interpretations).default("normal"),
  lab_test_id: id.nullish().describe("Lab test of managed orders"),
  wrong_lab_test_id: id.nullish().describe("Lab test of the other laboratory, which sends the report"),
});
export type MatchTestDraft = z.output<typeof matchTestDraft>;

/** Checks that a well-formed request names exactly the orders of its test case. */
export function checkMatchTest({ case: name, order_source, orders }: MatchTestDraft): RequestProblem[] {
  const roles = order_source === "provided" ? Object.keys(matchTestSettings[name].roles) : [];
  const given = Object.entries(orders ?? {}).flatMap(([role, order]) => (order === null ? [] : [role]));
  const lacking = roles
    .filter((role) => !given.includes(role))
    .map((role) => ({ role, msg: "The test case requires this order" }));
  const unknown = given
    .filter((role) => !roles.includes(role))
    .map((role) => ({ role, msg: "The test case has no such role" }));
  return [...lacking, ...unknown].map(({ role, msg }) => ({ loc: ["body", "orders", role], msg }));
}

const stages = [
  "queued",
  "validating",
  "selecting_configuration",
  "creating_orders",
  "transitioning_orders",
  "writing_result",
  "matching_result",
  "verifying_review",
  "succeeded",
  "failed",
] as const;
export type MatchTestStage = (typeof stages)[number];

const statuses = ["queued", "running", "succeeded", "failed"] as const;
const text = z.string().nullable();

/** Stored match test. The owner of each order is stored with the order. */
export const matchTestRecord = matchTestDraft.extend({
  run_id: z.string(),
  team_id: z.string(),
  /** Digest of the request, to detect another request with the same idempotency key. */
  digest: z.string(),
  status: z.enum(statuses),
  stage: z.enum(stages),
  /** Order ids by role. */
  order_ids: z.record(z.string(), z.string()),
  raw_result_id: text,
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: text,
  completed_at: text,
});
export type MatchTest = z.output<typeof matchTestRecord>;

/** Queue message of a match test. */
export const matchTestMessage = matchTestRecord.pick({ team_id: true, run_id: true });

/** Creates a queued match test. @param now ISO 8601. */
export function newMatchTest(
  draft: MatchTestDraft,
  of: Pick<MatchTest, "run_id" | "team_id" | "digest">,
  now: string,
): MatchTest {
  const provided = Object.entries(draft.orders ?? {}).filter((entry): entry is [string, string] => entry[1] !== null);
  const order_ids = Object.fromEntries(provided);
  const progress = { status: "queued", stage: "queued", order_ids, raw_result_id: null, error: null } as const;
  return { ...draft, ...of, ...progress, created_at: now, updated_at: now, started_at: null, completed_at: null };
}

/** Response to a started match test. */
export const wireStartedMatchTest = z
  .object({ run_id: z.guid(), status: typedOpenEnum(statuses) })
  .meta({ id: "StartedUnmatchedResultTest" });

/** Match test, as returned. */
export const wireMatchTest = z
  .object({
    run_id: z.guid(),
    status: typedOpenEnum(statuses),
    stage: typedOpenEnum(stages),
    case: typedOpenEnum(matchTestCases),
    order_source: openEnum(["managed", "provided"]),
    result_status: typedOpenEnum(resultStatuses),
    orders: z.record(z.string(), z.object({ order_id: z.guid(), user_id: z.guid(), order_transaction_id: z.guid() })),
    raw_result_id: z.guid().nullable().describe("Id of the unmatched result"),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    started_at: text,
    completed_at: text,
  })
  .meta({ id: "UnmatchedResultTest" });

/** Converts a match test. @param orders existing orders, by role. */
export function toWireMatchTest(
  { run_id, status, stage, case: name, order_source, result_status, raw_result_id, error, ...rest }: MatchTest,
  orders: z.input<typeof wireMatchTest>["orders"],
): z.input<typeof wireMatchTest> {
  const { created_at, updated_at, started_at, completed_at } = rest;
  const times = { created_at, updated_at, started_at, completed_at };
  return { run_id, status, stage, case: name, order_source, result_status, orders, raw_result_id, error, ...times };
}
