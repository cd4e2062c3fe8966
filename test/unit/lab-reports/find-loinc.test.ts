import { expect, test } from "vitest";
import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import rows from "../../../data/lab-catalogue/report-names.json" with { type: "json" };
import {
  findLoincCandidates,
  isConfidentMatch,
  type RowEvidence,
} from "../../../lib/domain/lab-reports/names/find-loinc.ts";
import { buildReportCatalogue } from "../../../lib/domain/lab-reports/names/report-catalogue.ts";
import { bundledReportCatalogue } from "./text-page.ts";

const row = (name: string, units: string | null = null, more: Partial<RowEvidence> = {}): RowEvidence => ({
  name,
  units,
  panel: null,
  isNumber: true,
  ...more,
});
const codes = (one: RowEvidence, from = bundledReportCatalogue) =>
  findLoincCandidates(from, one).map(({ known }) => known.result.loinc);

test("every catalogue result has report names, and every name belongs to a catalogue result", () => {
  expect(rows.map(({ loinc }) => loinc).toSorted()).toEqual(packed.results.map(({ loinc }) => loinc).toSorted());
});

test.each([
  ["BUN", "mg/dL", "3094-0"],
  ["AST (SGOT)", "U/L", "1920-8"],
  ["Hgb A1c", "%", "4548-4"],
  ["25-OH Vitamin D", "ng/mL", "62292-8"],
  ["NT pro-BNP", "pg/mL", "33762-6"],
  ["Serum Ferritin", "ng/mL", "2276-4"],
  ["Haemoglobin", "g/dL", "718-7"],
  ["Cholesterol/HDL", "ratio", "9830-1"],
  ["HDL Cholesterol", null, "2085-9"],
])("%s in %s matches %s confidently", (name, units, loinc) => {
  const found = findLoincCandidates(bundledReportCatalogue, row(name, units));
  expect(found[0]?.known.result.loinc).toBe(loinc);
  expect(isConfidentMatch(found)).toBe(true);
});

test("the unit distinguishes percentages from counts", () => {
  expect(codes(row("Neutrophils", "%"))[0]).toBe("770-8");
  expect(codes(row("Neutrophils", "x10E3/uL"))[0]).toBe("751-8");
  expect(isConfidentMatch(findLoincCandidates(bundledReportCatalogue, row("Neutrophils")))).toBe(false);
});

test("the magnitude of the unit distinguishes tests with the same abbreviation", () => {
  expect(codes(row("TG", "mg/dL"))[0]).toBe("2571-8");
  expect(codes(row("TG", "ng/mL"))[0]).toBe("3013-0");
});

test("the panel determines the specimen of a test", () => {
  expect(codes(row("Glucose", "mg/dL"))[0]).toBe("2345-7");
  expect(codes(row("Glucose", null, { isNumber: false, panel: "Urinalysis, Complete" }))[0]).toBe("5792-7");
  expect(codes(row("WBC", "/HPF", { panel: "URINALYSIS" }))[0]).toBe("5821-4");
});

test("a unit of another dimension prevents a confident match", () => {
  expect(isConfidentMatch(findLoincCandidates(bundledReportCatalogue, row("Calcium", "mmol/L")))).toBe(false);
});

test("tests outside the catalogue match no other test confidently", () => {
  for (const name of ["Vitamin D, 1,25-Dihydroxy", "Reverse T3", "eGFR Non-Afr. American", "Zinc", "Free T4 Index"]) {
    expect([name, isConfidentMatch(findLoincCandidates(bundledReportCatalogue, row(name, "ng/mL")))]).toEqual([
      name,
      false,
    ]);
  }
});

test("a misrecognized name is found by similarity and is not exact", () => {
  const [first] = findLoincCandidates(bundledReportCatalogue, row("Hemoglobin Alc", "%"));
  expect(first).toMatchObject({ known: { result: { loinc: "4548-4" } }, isExact: false });
});

test("a name learned from a reviewer ranks first", () => {
  const learned = buildReportCatalogue(packed, [{ name: "Sugar, fasted", loinc: "2345-7" }]);
  expect(codes(row("SUGAR (fasted)", "mg/dL"), learned)).toEqual(["2345-7"]);
  expect(codes(row("SUGAR (fasted)", "mg/dL"))).not.toContain("2345-7");
});

test("a search returns at most five candidates", () => {
  expect(codes(row("IgE", "kU/L")).length).toBeLessThanOrEqual(5);
});
