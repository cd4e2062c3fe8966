import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Observation } from "../../../../lib/domain/results/lab-report.ts";
import { valueStatesOf } from "../../../../lib/domain/results/result-record.ts";
import { toPrintable } from "../../../../lib/labs/documents/printable.ts";
import { drawResultReport } from "../../../../lib/labs/documents/result-report.ts";
import {
  createdAtMs,
  createMarkers,
  createObservation,
  createPartnerOrder,
  createResultRecord,
  createWireResult,
  expectedResult,
  undisclosedFields,
} from "./document-fixtures.ts";
import { findLayoutFaults, readPageTexts, readTextFragments, removeSpaces } from "./read-pdf.ts";

const { order } = createPartnerOrder({ markers: createMarkers(3) });

async function drawn(values: Observation[], status: "partial" | "final" = "final"): Promise<Buffer> {
  const record = createResultRecord(order, values, status);
  return drawResultReport(order, createWireResult(order, record), {
    states: valueStatesOf(record),
    createdAt: createdAtMs,
  });
}
const textOf = async (values: Observation[], status?: "partial" | "final") =>
  (await readPageTexts(await drawn(values, status))).join("");

const text = fc
  .string({ unit: fc.constantFrom(..."aeinrst-,(0 ≥²µ"), minLength: 1, maxLength: 90 })
  .map((words) => `W${words}`);
const value = fc.record({
  name: text,
  value: fc.oneof(fc.integer({ min: 40, max: 120 }).map(String), text),
  unit: fc.constantFrom("mg/dL", "mL/min/1.73 m²", "10⁹/L", null),
  note: fc.option(text),
  reference_range: fc.constantFrom("70-99", "≥60", "<100", "M: 13.5-17.5; F: 12.0-15.5", null),
  status: fc.constantFrom("final" as const, "corrected" as const, "preliminary" as const),
});

describe("a result report", () => {
  test("shows every value with its unit, range and note on one page, without overlaps", { tags: "deep" }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 60 }), async (values) => {
        const pdf = await drawn(values.map((more, index) => createObservation(index, more)));
        const pages = await readPageTexts(pdf);
        for (const { name, value: result, unit, reference_range, note, status } of values) {
          const isText = result.length > 28;
          const state = status === "final" ? "" : `(${status})`;
          const head = printed(`${name}${state}${isText ? "See below" : result}${unit ?? ""}`);
          const rest = [reference_range ?? "", isText ? result : "", note ?? ""].map(printed).join("");
          expect(pages.filter((page) => hasRow(page, head, rest)).length).toBeGreaterThan(0);
        }
        for (const page of pages.slice(1)) expect(page).toContain("AdaSampleborn1990-05-17sampleS-2026-0001");
        expect((await readTextFragments(pdf)).flatMap(findLayoutFaults)).toEqual([]);
        expect(pdf.length / pages.length).toBeLessThan(60_000);
      }),
      { numRuns: 25 },
    );
  });

  test("of 60 values repeats the table header on each page with values", async () => {
    const pages = await readPageTexts(await drawn(Array.from({ length: 60 }, (_, index) => createObservation(index))));
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages) expect(page).toContain("TestResultUnitFlagReferencerange");
  });

  test("shows the patient, the sample and the times, each in its original UTC offset", async () => {
    const printed = await textOf([createObservation(0)]);
    const facts = [
      "PatientAda Sample",
      "Date of birth1990-05-17 (35 years)",
      "Collected2026-04-28 07:45 UTC-07:00",
      "Received2026-04-29 02:10 UTC",
      "Reported2026-04-30 16:20 UTC",
      "Example Reference LaboratoryCLIA 03D0000001",
      "Sample numberS-2026-0001",
      "Patient numberP-77",
      "Tested at Phoenix Main Laboratory",
    ];
    for (const fact of facts) expect(printed).toContain(removeSpaces(fact));
  });

  test.each([
    [{ value: "120" }, "120mg/dLHigh70-99"],
    [{ value: "60" }, "60mg/dLLow70-99"],
    [{ value: "120", flag: "HH" }, "120mg/dLCriticalhigh(HH)70-99"],
    [{ value: "80" }, "80mg/dL70-99"],
    [{ value: "80", flag: "A" }, "80mg/dLAbnormal(A)70-99"],
    [{ value: "Detected", reference_range: "Not detected", unit: null }, "DetectedAbnormalNotdetected"],
    [{ value: "120", status: "corrected" as const }, "Measure1(corrected)120mg/dLHigh70-99"],
    [{ value: "≥60", reference_range: "≥60" }, ">=60mg/dL>=60"],
  ])("flags %j", async (more, row) => {
    expect(await textOf([createObservation(0, more)])).toContain(row);
  });

  test("is marked as partial, final, corrected or critical as appropriate", async () => {
    const marks = async (more: Partial<Observation>, status?: "partial") =>
      (await textOf([createObservation(0, more)], status)).match(/PARTIAL|FINAL|CORRECTED|CRITICAL/g);
    expect(await marks({}, "partial")).toEqual(["PARTIAL"]);
    expect(await marks({})).toEqual(["FINAL"]);
    expect(await marks({ status: "corrected", flag: "LL" })).toEqual(["FINAL", "CORRECTED", "CRITICAL"]);
  });

  test("lists missing results with the reason", async () => {
    const record = createResultRecord(
      order,
      [createObservation(0), createObservation(1, { loinc: "1-1", status: "cancelled", note: "QNS" })],
      "final",
    );
    const result = createWireResult(order, record, [
      expectedResult("1-1", "Ferritin"),
      expectedResult("1-2", "Thyroxine"),
    ]);
    const printed = (
      await readPageTexts(
        await drawResultReport(order, result, { states: valueStatesOf(record), createdAt: createdAtMs }),
      )
    ).join("");
    expect(printed).toContain("Measure170mg/dL");
    expect(printed).toContain("FerritinToolittleofthesampleQNS");
    expect(printed).toContain("ThyroxineThelaboratorygavenoreason");
  });

  test("names the laboratory of a value from another laboratory", async () => {
    const values = [
      createObservation(0),
      createObservation(1),
      createObservation(2, { performing_laboratory: "Tempe Microbiology" }),
    ];
    const printed = await textOf(values);
    expect(printed.match(/TestedatTempe/g)).toHaveLength(1);
    expect(printed.match(/TestedatPhoenix/g)).toHaveLength(1);
  });

  test("can be drawn without values and says so", async () => {
    expect(await textOf([], "partial")).toContain("novaluesyet");
  });

  test("accepts a finding longer than a page", async () => {
    const finding = Array.from({ length: 1_500 }, (_, index) => `word${index}`).join(" ");
    const printed = await textOf([createObservation(0, { type: "comment", value: finding }), createObservation(1)]);
    expect(printed).toContain("word1499");
    expect(printed).toContain("Measure271mg/dL");
  });

  test("has the same bytes when it is drawn again, and contains no unneeded patient data", async () => {
    const [one, again] = [await drawn([createObservation(0)]), await drawn([createObservation(0)])];
    expect(one.equals(again)).toBe(true);
    const printed = (await readPageTexts(one)).join("");
    for (const fact of [
      ...Object.values(undisclosedFields),
      "Lincoln",
      "6025550123",
      "E11.9",
      "left arm",
      "Warfarin",
    ]) {
      expect(printed).not.toContain(removeSpaces(String(fact)));
    }
    expect(one.toString("latin1")).not.toMatch(/Ada|1990/);
  });
});

const printed = (part: string): string => removeSpaces(toPrintable(part));

/** Whether a page contains a row: its first cells, an optional flag, then the rest. */
function hasRow(page: string, head: string, rest: string): boolean {
  return page
    .split(head)
    .slice(1)
    .some((after) => after.replace(/^(High|Low|Abnormal)/, "").startsWith(rest));
}
