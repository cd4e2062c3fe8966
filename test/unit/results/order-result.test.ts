import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyResultUpdate } from "../../../lib/domain/orders/lifecycle/apply-updates.ts";
import { type Order, transitionTo } from "../../../lib/domain/orders/lifecycle/order-transitions.ts";
import { wireCriticalResult } from "../../../lib/domain/orders/wire-order.ts";
import { interpretObservation } from "../../../lib/domain/results/interpret-observation.ts";
import { worstInterpretation } from "../../../lib/domain/results/interpretation.ts";
import type { LabReport, Observation } from "../../../lib/domain/results/lab-report.ts";
import { type ExpectedResult, inferFailureType } from "../../../lib/domain/results/missing-results.ts";
import { toCriticalResult, toResultUpdate, toWireResult } from "../../../lib/domain/results/order-result.ts";
import { findRangeFor, parseReferenceRanges } from "../../../lib/domain/results/reference-range.ts";
import { hasReport, mergeReport, type ResultRecord } from "../../../lib/domain/results/result-record.ts";
import { wireResult } from "../../../lib/domain/results/wire-result.ts";
import { createPlacedOrder, ORDERED_AT } from "../orders/order-fixtures.ts";
import { report, value } from "./report-fixtures.ts";

const ada = { sex: "female", age: 35 } as const;

const source = { marker_id: 7, name: "Panel", slug: "panel", provider_id: "483" };
const expected = (loinc: string, slug: string, required = true): ExpectedResult => ({
  ...{ name: slug, slug, loinc, loinc_slug: `${slug}-loinc`, required, source },
});
const markers = [expected("2345-7", "glucose"), expected("3094-0", "urea-nitrogen"), expected("1-8", "extra", false)];

describe("a reference range", () => {
  test.each([
    ["70-99", { min: 70, max: 99 }],
    ["3.5 - 5.2 mmol/L", { min: 3.5, max: 5.2 }],
    ["-2 to 2", { min: -2, max: 2 }],
    ["<0.35", { max: 0.35, excludesMax: true }],
    [">= 60 mL/min", { min: 60, excludesMin: false }],
    ["Not detected", { words: "not detected" }],
    ["F 18-49 y: 10-120", { sex: "female", fromAge: 18, toAge: 49, min: 10, max: 120 }],
    [">=50 y: 10-200", { fromAge: 50, min: 10, max: 200 }],
  ])("is parsed from %s", (text, range) => {
    expect(parseReferenceRanges(text)).toMatchObject([range]);
  });

  test("is selected by the person's sex and age", () => {
    const ranges = parseReferenceRanges("10-20; M: 13.5-17.5; F: 12.0-15.5; F >=50 y: 11-16");
    const minFor = (sex: string | null, age: number | null) => findRangeFor(ranges, { sex, age })?.min;
    expect([
      minFor("male", 40),
      minFor("female", 40),
      minFor("female", 50),
      minFor("unknown", 40),
      minFor("female", null),
    ]).toEqual([13.5, 12, 11, 10, 12]);
    expect(findRangeFor(parseReferenceRanges("M: 1-2"), ada)).toBeUndefined();
    expect(parseReferenceRanges(null)).toEqual([]);
  });
});

describe("a value", () => {
  test.each([
    ["85", "70-99", "normal", false, false],
    ["70", "70-99", "normal", false, false],
    ["99.5", "70-99", "abnormal", true, false],
    ["69", "70-99", "abnormal", false, true],
    ["0.35", "<0.35", "abnormal", true, false],
    ["<0.1", "<0.35", "normal", false, false],
    [">200", "70-200", "abnormal", true, false],
    [">90", ">=60", "normal", false, false],
    ["<60", ">=60", "abnormal", false, true],
    ["-3", "-2 to 2", "abnormal", false, true],
    ["<5", "0-10", "normal", false, false],
    ["<3.0", "<1.0", "unknown", null, false],
    [">5", "0-10", "unknown", null, false],
    ["<1", "-2 to 2", "unknown", false, null],
  ])("of %s in the range %s is %s", (text, reference_range, interpretation, isAbove, isBelow) => {
    expect(interpretObservation(value({ value: text, reference_range }), ada)).toMatchObject({
      interpretation,
      isAbove,
      isBelow,
    });
  });

  test("in words is normal when it is the expected text", () => {
    const read = (text: string, reference_range: string | null) =>
      interpretObservation(value({ value: text, reference_range, type: "coded_value" }), ada).interpretation;
    expect([read("Not Detected", "Not detected"), read("Detected", "Not detected"), read("Clear", null)]).toEqual([
      "normal",
      "abnormal",
      "unknown",
    ]);
  });

  test("in words is compared by its meaning, and unknown if that is impossible", () => {
    const read = (text: string, reference_range: string) =>
      interpretObservation(value({ value: text, reference_range, type: "coded_value" }), ada).interpretation;
    expect(read("Non-Reactive", "Negative")).toBe("normal");
    expect(read("Reactive", "Negative")).toBe("abnormal");
    expect(read("Equivocal", "Negative")).toBe("unknown");
  });

  test("follows the laboratory's flag regardless of the range", () => {
    const read = (flag: string) => interpretObservation(value({ flag }), ada).interpretation;
    expect(["N", "H", "LL", "hh", "AA", "A", "?"].map(read)).toEqual([
      "normal",
      "abnormal",
      "critical",
      "critical",
      "critical",
      "abnormal",
      "normal",
    ]);
  });

  test("gives its order the most severe interpretation", () => {
    expect(worstInterpretation(["normal", "critical", "abnormal"])).toBe("critical");
    expect(worstInterpretation(["unknown", "normal"])).toBe("normal");
    expect(worstInterpretation([])).toBe("unknown");
  });
});

const anyReport = fc
  .record({
    report_id: fc.constantFrom("F1", "F2", "F3"),
    status: fc.constantFrom("partial", "final", "corrected", "withdrawn"),
    day: fc.integer({ min: 1, max: 3 }),
    sent_at: fc.option(fc.constantFrom("2026-03-09T00:00:00.000Z", "2026-03-10T00:00:00.000Z"), { nil: undefined }),
    observations: fc.array(
      fc.record({
        loinc: fc.constantFrom("2345-7", "3094-0", "2160-0"),
        value: fc.constantFrom("1", "2", "3"),
        status: fc.constantFrom("preliminary", "final", "corrected", "cancelled", "withdrawn"),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ day, observations, report_id, status, sent_at }) =>
    report({
      // Several reports have one number and time, as parts of an order have.
      report_id: `${report_id}-${day}`,
      status: status as LabReport["status"],
      reported_at: `2026-03-0${day}T00:00:00.000Z`,
      ...(sent_at === undefined ? {} : { sent_at }),
      observations: observations.map((one) => value(one as Partial<Observation>)),
    }),
  );
const merged = (reports: readonly LabReport[]) =>
  reports.reduce<ResultRecord | undefined>((record, one) => mergeReport(record, "order", one), undefined);

describe("reports of one order", () => {
  test("give the same results in any order and with any redelivery", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyReport, { minLength: 1, maxLength: 5, selector: (one) => JSON.stringify(one) }),
        fc.nat(),
        (reports, seed) => {
          const mixed = reports.toSorted((a, b) => hash(a, seed) - hash(b, seed));
          expect(merged([...mixed, ...reports])?.observations).toEqual(merged(reports)?.observations);
          expect(merged([...mixed, ...reports])?.reports).toEqual(merged(reports)?.reports);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("replace preliminary values by final values and those by corrected values, even when they arrive late", () => {
    const at = (day: number, status: Observation["status"], text: string) =>
      report({
        report_id: `F${day}`,
        reported_at: `2026-03-0${day}T00:00:00.000Z`,
        observations: [value({ status, value: text })],
      });
    const corrected = at(6, "corrected", "90");
    for (const reports of [
      [at(4, "preliminary", "80"), at(5, "final", "85"), corrected],
      [corrected, at(7, "final", "85")],
    ]) {
      expect(merged(reports)?.observations.map((one) => one.value)).toEqual(["90"]);
    }
  });

  describe("with one time", () => {
    const sent = (hour: number, text: string, status: Observation["status"] = "corrected", report_id = "F1") =>
      report({
        ...{ report_id, status: "corrected", sent_at: `2026-03-05T1${hour}:00:00.000Z` },
        observations: [value({ status, value: text })],
      });
    const counting = (reports: readonly LabReport[]) => merged(reports)?.observations.map((one) => one.value);

    test("give the value of the message that was sent last, in any order of arrival", () => {
      for (const report_id of ["F1", "F2"]) {
        const reports = [sent(2, "95"), sent(3, "600", "corrected", report_id)];
        expect(counting(reports)).toEqual(["600"]);
        expect(counting(reports.toReversed())).toEqual(["600"]);
      }
      expect(counting([sent(3, "90", "final"), sent(2, "95")])).toEqual(["95"]);
    });

    test("replace a value of an earlier version, which has no time of its message", () => {
      const {
        observations: [known],
        ...record
      } = merged([sent(2, "95")])!;
      const { sent_at: _, ...stored } = known!;
      const before = { ...record, observations: [stored] };
      expect(mergeReport(before, "order", sent(3, "600")).observations).toMatchObject([{ value: "600" }]);
      expect(hasReport(before, sent(3, "95"))).toBe(true);
    });

    test("are known when they are sent again, unless another value came in between", () => {
      expect(hasReport(merged([sent(2, "90")]), sent(4, "90"))).toBe(true);
      const changed = merged([sent(2, "90"), sent(3, "95")]);
      expect([hasReport(changed, sent(2, "90")), hasReport(changed, sent(4, "90"))]).toEqual([true, false]);
      expect(counting([sent(2, "90"), sent(3, "95"), sent(4, "90")])).toEqual(["90"]);
    });

    test("leave a value that was sent after its withdrawal", () => {
      const reports = [sent(2, "90"), sent(3, "", "withdrawn"), sent(4, "95")];
      for (const arrived of [reports, reports.toReversed()]) expect(counting(arrived)).toEqual(["95"]);
      expect(counting(reports.slice(0, 2))).toEqual([""]);
    });
  });

  describe("that are withdrawn", () => {
    const at = (day: number, text: string, more: Partial<LabReport> = {}, status: Observation["status"] = "final") =>
      report({
        report_id: `F${day}`,
        reported_at: `2026-03-0${day}T00:00:00.000Z`,
        observations: [value({ status, value: text, note: status === "withdrawn" ? "Wrong patient" : null })],
        ...more,
      });
    const inAnyOrder = (reports: readonly LabReport[]) =>
      [reports, reports.toReversed(), [...reports.slice(1), ...reports.slice(0, 1)]].map((one) => merged(one)!);
    const shown = ({ observations }: ResultRecord) => observations.map(({ value: text, status }) => [text, status]);

    test("hide a value that was reported before, also a corrected one, and keep the reason", () => {
      for (const status of ["final", "corrected"] as const) {
        for (const record of inAnyOrder([at(4, "85", {}, status), at(5, "", {}, "withdrawn")])) {
          expect(shown(record)).toEqual([["", "cancelled"]]);
          expect(record.observations[0]?.note).toBe("Wrong patient");
        }
      }
    });

    test("leave a value that was reported later", () => {
      const reports = [at(4, "85", {}, "corrected"), at(5, "", {}, "withdrawn"), at(6, "91")];
      for (const record of inAnyOrder(reports)) expect(shown(record)).toEqual([["91", "final"]]);
    });

    test("as a whole, let the values of other reports count again", () => {
      const withdrawal = at(7, "99", { report_id: "F6", status: "withdrawn" });
      for (const record of inAnyOrder([at(4, "85"), at(6, "91", {}, "corrected"), withdrawal])) {
        expect(shown(record)).toEqual([["85", "final"]]);
      }
      for (const record of inAnyOrder([at(6, "91"), withdrawal])) expect(shown(record)).toEqual([["", "cancelled"]]);
    });

    test("are results of an earlier version, whose values name no report", () => {
      const { others: _, ...known } = merged([at(4, "85")])!;
      const observations = known.observations.map(({ report_id: __, ...one }) => one);
      const withdrawal = at(5, "", { report_id: "F4", status: "withdrawn" });
      expect(shown(mergeReport({ ...known, observations }, "order", withdrawal))).toEqual([["", "cancelled"]]);
    });
  });

  describe("with the number, status and time of a known report", () => {
    const sodium = report({ observations: [value({ loinc: "2951-2", value: "170", flag: "HH" })] });

    test("are known only with the same content", () => {
      const record = merged([report()]);
      expect(hasReport(record, report())).toBe(true);
      expect(hasReport(record, report({ status: "corrected" }))).toBe(false);
      expect(hasReport(record, sodium)).toBe(false);
      expect(hasReport(merged([report(), sodium]), report())).toBe(true);
      expect(merged([report(), sodium, report()])?.reports).toHaveLength(2);
      expect(merged([report(), sodium])?.observations.map((one) => one.value)).toEqual(["85", "170"]);
    });

    test("are compared by their values where an earlier version stored the known report", () => {
      const { reports, ...record } = merged([report()])!;
      const earlier = { ...record, reports: reports.map(({ digest: _, ...one }) => one) };
      expect(hasReport(earlier, report())).toBe(true);
      expect(mergeReport(earlier, "order", report()).observations).toEqual(earlier.observations);
      expect(hasReport(earlier, sodium)).toBe(false);
      expect(mergeReport(earlier, "order", sodium).reports).toHaveLength(2);
      const unnamed = { ...earlier, observations: earlier.observations.map(({ report_id: _, ...one }) => one) };
      const twice = { ...unnamed, reports: [...earlier.reports, { ...earlier.reports[0]!, report_id: "F2" }] };
      expect(hasReport(twice, report())).toBe(true);
      expect(hasReport(twice, sodium)).toBe(false);
    });
  });
});

const hash = (one: LabReport, seed: number) =>
  [...JSON.stringify(one)].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed) % 101;

const collected = (["requisition_created", "partial_results"] as const).reduce<Order>(
  (order, level) => transitionTo(order, level, ORDERED_AT),
  createPlacedOrder("walk_in_test"),
);

describe("the result of an order", () => {
  const answered = (more: Partial<LabReport> = {}) => toWireResult(collected, merged([report(more)])!, markers);

  test("matches the published schema, with names from the catalogue", () => {
    const result = answered();
    expect(wireResult.parse(result)).toEqual(result);
    expect(result.metadata).toMatchObject({
      age: "35",
      dob: "1990-05-17",
      patient: "Ada Sample",
      status: "final",
      interpretation: "normal",
      specimen_number: "S1",
    });
    expect(result.results[0]).toMatchObject({
      slug: "glucose",
      loinc_slug: "glucose-loinc",
      value: 85,
      result: "85",
      min_range_value: 70,
      source_markers: [source],
    });
    expect(result.sample_information).toMatchObject({
      S1: { control_number: "F1", date_collected: "2026-03-04T14:00:00.000Z" },
    });
  });

  test("lists missing required results once it is final, with the laboratory's reason", () => {
    expect(answered({ status: "partial" }).missing_results).toBeNull();
    const cancelled = value({ loinc: "3094-0", status: "cancelled", value: "", note: "Quantity not sufficient" });
    const result = answered({ observations: [value(), cancelled] });
    expect(result.results).toHaveLength(1);
    expect(result.missing_results).toMatchObject([
      { slug: "urea-nitrogen", inferred_failure_type: "quantity_not_sufficient_failure" },
    ]);
    expect(answered().missing_results).toMatchObject([{ inferred_failure_type: "unknown_failure" }]);
    expect(inferFailureType({ value: "", note: "Specimen hemolyzed" })).toBe("collection_process_failure");
  });

  test("has its own event only when it is critical", () => {
    const criticalResult = (flag: string) => {
      const result = answered({ observations: [value({ flag })] });
      return toCriticalResult(applyResultUpdate(collected, toResultUpdate(result, "final"), ORDERED_AT), ORDERED_AT);
    };
    expect(wireCriticalResult.parse(criticalResult("HH"))).toMatchObject({
      order_id: collected.id,
      interpretation: "critical",
      status: "completed.walk_in_test.completed",
    });
    expect(criticalResult("H")).toBeUndefined();
  });

  test("gives its order the interpretation and whether results are missing", () => {
    expect(toResultUpdate(answered(), "final")).toEqual({
      status: "final",
      interpretation: "normal",
      hasMissingResults: true,
    });
  });
});
