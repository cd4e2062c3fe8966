import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { joinResults } from "../../../lib/domain/results/join-results.ts";
import { newReview } from "../../../lib/domain/results/match-review.ts";
import { valueStatesOf } from "../../../lib/domain/results/result-record.ts";
import { withExistingUsers, withoutErasedUser } from "../../../lib/domain/results/review-users.ts";
import type { UnmatchedResult } from "../../../lib/domain/results/wire-unmatched-result.ts";
import { type ReceivedMessage, receiveMessages } from "../../../lib/labs/receive-messages.ts";
import {
  createMarkers,
  createObservation,
  createPartnerOrder,
  createResultRecord,
  createWireResult,
  expectedResult,
} from "./documents/document-fixtures.ts";

const golden = (name: string) => readFileSync(new URL(`golden/${name}`, import.meta.url), "utf8");
const inSandbox = { lab: "quest", control: "A1", at: "2026-03-04T22:00:00.000Z", processing: "T" } as const;
const hl7 = golden("final.hl7");

/** The only message of a text. */
function receiveMessage(text: string, context: Parameters<typeof receiveMessages>[1]): ReceivedMessage {
  const [message, ...others] = receiveMessages(text, context).messages;
  if (!message || others.length > 0) throw new Error("The text has not one message.");
  return message;
}

describe("a received message", () => {
  test("is identified by its own id, or by a hash of its text in FHIR without an id", () => {
    const fhir = golden("report.fhir.json");
    const { id, identifier, ...bare } = JSON.parse(fhir);
    const controlOf = (message: object) => receiveMessage(JSON.stringify(message), inSandbox).control;
    expect(receiveMessage(hl7, inSandbox).control).toBe("M0001");
    expect(controlOf({ ...bare, id: "B1", identifier: { value: "N1" } })).toBe("N1");
    expect(controlOf({ ...bare, id: "B1" })).toBe("B1");
    expect(controlOf(bare)).toMatch(/^[0-9a-f]{64}$/);
    expect(controlOf(bare)).not.toBe(controlOf({ ...bare, timestamp: "2026-03-04T22:00:00Z" }));
  });

  test("in training mode is accepted only in a sandbox", () => {
    const trial = hl7.replace("|M0001|P|", "|M0001|T|");
    const inProduction = { ...inSandbox, processing: "P" } as const;
    expect(receiveMessage(trial, inSandbox).refusal).toBeUndefined();
    expect([receiveMessage(trial, inProduction).refusal, receiveMessage(hl7, inProduction).refusal]).toEqual([
      "AR",
      undefined,
    ]);
  });

  test("that parses but is rejected later is acknowledged with the reason", () => {
    expect(receiveMessage(hl7, inSandbox).answer("Not now.")).toContain("MSA|AE|M0001\rERR|||207|E||||Not now.");
    expect(receiveMessage(golden("report.fhir.json"), inSandbox).answer("Not now.")).toContain(
      '"diagnostics":"Not now."',
    );
  });
});

describe("joined results of replaced orders", () => {
  const { order } = createPartnerOrder({ markers: createMarkers(3) });
  const read = (
    values: Parameters<typeof createResultRecord>[1],
    missing: Parameters<typeof createWireResult>[2] = [],
  ) => {
    const record = createResultRecord(order, values, "final");
    return { order, result: createWireResult(order, record, missing), states: valueStatesOf(record) };
  };

  test("take each value from the last result that has it, and miss nothing that one of them has", () => {
    const first = read([
      createObservation(0, { loinc: "1-1", value: "70" }),
      createObservation(1, { loinc: "1-2", value: "71" }),
    ]);
    const last = read(
      [createObservation(0, { loinc: "1-1", value: "80", status: "corrected" })],
      [expectedResult("1-2", "Ferritin"), expectedResult("1-3", "Thyroxine")],
    );
    const joined = joinResults([first, last]);
    expect(joined?.result.results.map(({ loinc, result }) => [loinc, result])).toEqual([
      ["1-1", "80"],
      ["1-2", "71"],
    ]);
    expect(joined?.states).toEqual(["corrected", "final"]);
    expect(joined?.result.metadata.interpretation).toBe("normal");
    expect(joined?.result.missing_results?.map(({ loinc }) => loinc)).toEqual(["1-3"]);
  });

  test("have the most severe interpretation of their values", () => {
    const first = read([
      createObservation(0, { loinc: "1-1", flag: "HH" }),
      createObservation(1, { loinc: "1-2", flag: "H" }),
    ]);
    const last = read([createObservation(0, { loinc: "1-1", flag: "N" })]);
    expect([first, last].map(({ result }) => result.metadata.interpretation)).toEqual(["critical", "normal"]);
    expect(joinResults([first, last])?.result.metadata.interpretation).toBe("abnormal");
  });

  test("are absent when no order has a result", () => {
    expect(joinResults([])).toBeUndefined();
  });
});

describe("a review with erased users", () => {
  const group = (user_id: string) => ({ user_id, candidates: [] });
  const lab = { id: 4, name: "A lab", slug: "quest" };
  const { reports } = receiveMessage(hl7, inSandbox);
  const report = reports[0]!;
  const decision = { code: "no_match", isAccountOther: false, candidates: [] } as const;
  const blank = newReview(report, decision, { id: "r", lab, interpretation: null }, inSandbox.at);
  const of = (users: readonly string[], resolved: string | null = null): UnmatchedResult => ({
    ...blank,
    candidate_groups: users.map(group),
    resolved_user_id: resolved,
  });

  test("keeps the remaining users, and is removed with the last one or with the user of the result", () => {
    const without = (review: UnmatchedResult, gone: string) => withExistingUsers(review, (user) => user !== gone);
    expect(without(of(["a", "b"]), "a")?.candidate_groups).toEqual([group("b")]);
    expect(without(of(["a"]), "a")).toBeUndefined();
    expect(without(of(["a", "b"], "a"), "a")).toBeUndefined();
    expect(without(of([]), "a")).toBeDefined();
  });

  test("keeps its report while a user remains", () => {
    expect(withoutErasedUser({ review: of(["a", "b"]), report, revision: 1 }, "a")).toMatchObject({ report });
    expect(withoutErasedUser({ review: of(["a"]), report, revision: 1 }, "a")).toBeUndefined();
  });
});
