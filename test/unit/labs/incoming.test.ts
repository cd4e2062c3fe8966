import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { joinResults } from "../../../lib/domain/results/joined-results.ts";
import { newReview } from "../../../lib/domain/results/match-review.ts";
import { statesOf } from "../../../lib/domain/results/result-record.ts";
import { withoutUser, withUsers } from "../../../lib/domain/results/review-users.ts";
import type { UnmatchedResult } from "../../../lib/domain/results/wire-unmatched-result.ts";
import { readIncoming } from "../../../lib/labs/incoming.ts";
import { expected, markers, observed, recordOf, resultOf, submitted } from "./documents/papers.ts";

const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const ground = { lab: "quest", control: "A1", at: "2026-03-04T22:00:00.000Z", processing: "T" } as const;
const hl7 = golden("final.hl7");

describe("a message", () => {
  test("is known by its own number, in FHIR without one by all of its text", () => {
    const fhir = golden("report.fhir.json");
    const { id, identifier, ...bare } = JSON.parse(fhir);
    const controlOf = (message: object) => readIncoming(JSON.stringify(message), ground).control;
    expect(readIncoming(hl7, ground).control).toBe("M0001");
    expect(controlOf({ ...bare, id: "B1", identifier: { value: "N1" } })).toBe("N1");
    expect(controlOf({ ...bare, id: "B1" })).toBe("B1");
    expect(controlOf(bare)).toMatch(/^[0-9a-f]{64}$/);
    expect(controlOf(bare)).not.toBe(controlOf({ ...bare, timestamp: "2026-03-04T22:00:00Z" }));
  });

  test("for training is taken in a sandbox alone", () => {
    const trial = hl7.replace("|M0001|P|", "|M0001|T|");
    const inProduction = { ...ground, processing: "P" } as const;
    expect(readIncoming(trial, ground).refusal).toBeUndefined();
    expect([readIncoming(trial, inProduction).refusal, readIncoming(hl7, inProduction).refusal]).toEqual([
      "AR",
      undefined,
    ]);
  });

  test("that was read and is refused afterwards is answered with why", () => {
    expect(readIncoming(hl7, ground).answer("Not now.").text).toContain("MSA|AE|M0001\rERR|||207|E||||Not now.");
    expect(readIncoming(golden("report.fhir.json"), ground).answer("Not now.").text).toContain(
      '"diagnostics":"Not now."',
    );
  });
});

describe("results of orders that stand for one another", () => {
  const { order } = submitted({ markers: markers(3) });
  const read = (values: Parameters<typeof recordOf>[1], missing: Parameters<typeof resultOf>[2] = []) => {
    const record = recordOf(order, values, "final");
    return { order, result: resultOf(order, record, missing), states: statesOf(record) };
  };

  test("are one, each value from the last that has it, and nothing is missing that one of them has", () => {
    const first = read([observed(0, { loinc: "1-1", value: "70" }), observed(1, { loinc: "1-2", value: "71" })]);
    const last = read(
      [observed(0, { loinc: "1-1", value: "80", status: "corrected" })],
      [expected("1-2", "Ferritin"), expected("1-3", "Thyroxine")],
    );
    const joined = joinResults([first, last]);
    expect(joined?.result.results.map(({ loinc, result }) => [loinc, result])).toEqual([
      ["1-1", "80"],
      ["1-2", "71"],
    ]);
    expect(joined?.states).toEqual(["corrected", "final"]);
    expect(joined?.result.missing_results?.map(({ loinc }) => loinc)).toEqual(["1-3"]);
  });

  test("are none where no order has any", () => {
    expect(joinResults([])).toBeUndefined();
  });
});

describe("a review of which users go", () => {
  const group = (user_id: string) => ({ user_id, candidates: [] });
  const lab = { id: 4, name: "A lab", slug: "quest" };
  const { reports } = readIncoming(hl7, ground);
  const report = reports[0]!;
  const decision = { code: "no_match", isAccountOther: false, candidates: [] } as const;
  const blank = newReview(report, decision, { id: "r", lab, interpretation: null }, ground.at);
  const of = (users: readonly string[], resolved: string | null = null): UnmatchedResult => ({
    ...blank,
    candidate_groups: users.map(group),
    resolved_user_id: resolved,
  });

  test("keeps those who stay, and goes with the last of them, or with whose the result is", () => {
    const without = (review: UnmatchedResult, gone: string) => withUsers(review, (user) => user !== gone);
    expect(without(of(["a", "b"]), "a")?.candidate_groups).toEqual([group("b")]);
    expect(without(of(["a"]), "a")).toBeUndefined();
    expect(without(of(["a", "b"], "a"), "a")).toBeUndefined();
    expect(without(of([]), "a")).toBeDefined();
  });

  test("keeps its report as long as it is of somebody", () => {
    expect(withoutUser({ review: of(["a", "b"]), report, revision: 1 }, "a")).toMatchObject({ report });
    expect(withoutUser({ review: of(["a"]), report, revision: 1 }, "a")).toBeUndefined();
  });
});
