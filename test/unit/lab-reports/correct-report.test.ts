import { describe, expect, test } from "vitest";
import { CorrectionRefused, correctReport } from "../../../lib/domain/lab-reports/correct-report.ts";
import { LoincSearch } from "../../../lib/domain/lab-reports/names/loinc-search.ts";
import type { LoincMatch, ReportData, ReportResult } from "../../../lib/domain/lab-reports/wire-parsing-job.ts";
import type { AcceptedRow } from "../../../lib/domain/lab-reports/wire-review.ts";

const known = (loinc: string, name: string) => ({
  loinc,
  slug: name,
  name,
  unit: "mg/dL",
  loinc_name: `${name} in Blood`,
});
const codes = new LoincSearch({ results: [known("2345-7", "Glucose"), known("2160-0", "Creatinine")] });
const match = (loinc_code: string): LoincMatch => ({
  ...{ loinc_code, loinc_name: "", display_name: "", aliases: [], confidence_score: 0.7 },
});

const glucose: ReportResult = {
  ...{ test_name: "Glucosc", value: "112", units: "mg/dL", min_reference_range: 65, max_reference_range: 99 },
  ...{ sample_type: "serum_plasma_blood", measurement_kind: "direct", type: "numeric", source_panel_name: "CMP" },
  ...{ sensitivity: "unknown", interpretation: "abnormal", is_above_max_range: true, is_below_min_range: false },
  ...{ loinc_matches: [match("2345-7"), match("2339-0")], loinc_match_status: "needs_review" },
};
const metadata: ReportData["metadata"] = {
  ...{ patient_first_name: null, patient_last_name: null, dob: null, gender: "other", lab_name: null },
  ...{ date_reported: null, date_collected: null, specimen_number: null },
};
const asRead: AcceptedRow = {
  ...{ from: 0, test_name: "Glucosc", value: "112", units: "mg/dL", min_reference_range: 65, max_reference_range: 99 },
  ...{ interpretation: "abnormal", loinc_code: "2345-7" },
};

const corrected = (results: AcceptedRow[], row: ReportResult = glucose) =>
  correctReport(
    { metadata, results: [row] },
    { version: 1, metadata: { ...metadata, gender: "other" }, results },
    codes,
  );

describe("a reviewed report", () => {
  test("keeps the unchanged fields of a row and confirms its code", () => {
    const { data } = corrected([asRead]);
    const chosen = { ...match("2345-7"), confidence_score: 1 };
    expect(data.results).toEqual([{ ...glucose, loinc_matches: [chosen], loinc_match_status: "auto_match" }]);
  });

  test("interprets a corrected value again", () => {
    const { data } = corrected([{ ...asRead, value: "<60", min_reference_range: null }]);
    expect(data.results[0]).toMatchObject({ type: "numeric", is_above_max_range: false, is_below_min_range: null });
    const words = corrected([{ ...asRead, value: "Negative" }]).data.results[0];
    expect(words).toMatchObject({ type: "comment", is_above_max_range: null, is_below_min_range: null });
  });

  test("compares a corrected value by its comparator", () => {
    const position = (row: Partial<AcceptedRow>) => {
      const { is_above_max_range, is_below_min_range } = corrected([{ ...asRead, ...row }]).data.results[0] ?? {};
      return [is_above_max_range, is_below_min_range];
    };
    expect(position({ value: ">99" })).toEqual([true, false]);
    expect(position({ value: "<65" })).toEqual([false, true]);
    expect(position({ value: "<70" })).toEqual([false, null]);
    expect(position({ value: "≥80" })).toEqual([null, false]);
    expect(position({ value: "1,250" })).toEqual([true, false]);
    expect(position({ value: "70,5" })).toEqual([false, false]);
  });

  test("keeps the position of an unchanged value at an excluded bound, and else follows the interpretation", () => {
    const printed = { ...glucose, value: "99", is_above_max_range: true };
    const isAbove = (row: Partial<AcceptedRow>) =>
      corrected([{ ...asRead, ...row }], printed).data.results[0]?.is_above_max_range;
    expect(isAbove({ value: "99" })).toBe(true);
    expect(isAbove({ value: "100", max_reference_range: 100 })).toBe(true);
    expect(isAbove({ value: "100", max_reference_range: 100, interpretation: "normal" })).toBe(false);
  });

  test("contains the remaining rows and the added rows", () => {
    const added = { ...asRead, from: null, test_name: "By hand", loinc_code: null };
    const [row, ...others] = corrected([added]).data.results;
    expect(others).toEqual([]);
    expect(row).toMatchObject({ test_name: "By hand", source_panel_name: null, loinc_match_status: "no_match" });
    expect(row?.loinc_matches).toEqual([]);
  });

  test.each([
    ["an unknown row", [{ ...asRead, from: 1 }], ["results", 0, "from"]],
    ["a repeated row", [asRead, asRead], ["results", 0, "from"]],
    ["an unknown code", [{ ...asRead, loinc_code: "1-1" }], ["results", 0, "loinc_code"]],
  ] as const)("is rejected for %s", (_, rows, loc) => {
    const refusal = expect.objectContaining({ name: "CorrectionRefused", loc });
    expect(() => corrected([...rows])).toThrow(refusal);
    expect(() => corrected([...rows])).toThrow(CorrectionRefused);
  });
});

describe("the learned names of a review", () => {
  test("contain the read name and the corrected name when the code was uncertain", () => {
    const { aliases } = corrected([{ ...asRead, test_name: "Glucose", loinc_code: "2160-0" }]);
    expect(aliases).toEqual([
      { name: "Glucosc", loinc: "2160-0" },
      { name: "Glucose", loinc: "2160-0" },
    ]);
  });

  test("contain no name of a row with a certain code or without a code", () => {
    const certain = { ...glucose, loinc_match_status: "auto_match" };
    expect(corrected([asRead], certain).aliases).toEqual([]);
    expect(corrected([{ ...asRead, loinc_code: null }]).aliases).toEqual([]);
    expect(corrected([{ ...asRead, test_name: "Glucose" }], certain).aliases).toEqual([
      { name: "Glucose", loinc: "2345-7" },
    ]);
  });

  test("contain each name once", () => {
    expect(corrected([{ ...asRead, test_name: "GLUCOSC " }]).aliases).toHaveLength(1);
  });
});

test("codes are found by parts of a name and by the code itself", () => {
  expect(codes.search("gluc", 5)).toMatchObject([{ loinc_code: "2345-7", display_name: "Glucose" }]);
  expect(codes.search("2160-0", 5)).toMatchObject([{ loinc_code: "2160-0" }]);
  expect(codes.search("blood", 1)).toHaveLength(1);
  expect(codes.findByCode("1-1")).toBeUndefined();
});
