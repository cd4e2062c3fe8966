import { describe, expect, test } from "vitest";
import { parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import { bundledReportCatalogue, parseRows, parseTexts, textPage } from "./text-page.ts";

describe("parsing columns with headings", () => {
  test("reads name, value, flag, units and range", () => {
    const rows = parseRows(`
Test                  Result    Flag   Units       Reference Range
Glucose               112       H      mg/dL       65-99
Sodium                140              mmol/L      135 - 146
TSH                   0.02      LL     mIU/L       0.40-4.50
`);
    expect(rows).toEqual([
      "Glucose | 112 | mg/dL | 65..99 | abnormal",
      "Sodium | 140 | mmol/L | 135..146 | normal",
      "TSH | 0.02 | mIU/L | 0.4..4.5 | critical",
    ]);
  });

  test("reads columns in another order, with the flag before the value", () => {
    const rows = parseRows(`
Component             Reference Range    Units     Flag   Value
Potassium             3.5-5.3            mmol/L    L      3.1
Chloride              98-110             mmol/L           101
`);
    expect(rows).toEqual([
      "Potassium | 3.1 | mmol/L | 3.5..5.3 | abnormal",
      "Chloride | 101 | mmol/L | 98..110 | normal",
    ]);
  });

  test("ignores previous results and site codes", () => {
    const rows = parseRows(`
Tests               Current Result and Flag    Previous Result and Date    Units     Reference Interval
WBC          01     11.9   High                6.1   03/02/2025            x10E3/uL  3.4-10.8
RBC          01     4.52                       4.61  03/02/2025            x10E6/uL  3.77-5.28
`);
    expect(rows).toEqual([
      "WBC | 11.9 | x10E3/uL | 3.4..10.8 | abnormal",
      "RBC | 4.52 | x10E6/uL | 3.77..5.28 | normal",
    ]);
  });

  test("reads a flag attached to its value, and a unit beside it", () => {
    const rows = parseRows(`
Analyte               Result            Reference
Glucose               112H mg/dL        65-99
Calcium               9.4 mg/dL         8.6-10.3
Ferritin              8 (L) ng/mL       15-400
`);
    expect(rows).toEqual([
      "Glucose | 112 | mg/dL | 65..99 | abnormal",
      "Calcium | 9.4 | mg/dL | 8.6..10.3 | normal",
      "Ferritin | 8 | ng/mL | 15..400 | abnormal",
    ]);
  });

  test("applies headings to the next page and ignores page headers and footers", () => {
    const page = (row: string) => `
Example Laboratory                         Patient: DOE, JANE
Specimen: 1234567     Collected: 03/02/2025
${row}
Page 1 of 2       CLIA 05D1234567
`;
    const heading = "Test                  Result    Units       Reference Range\n";
    expect(
      parseRows(
        page(`${heading}Glucose               91        mg/dL       65-99`),
        page("Sodium                140       mmol/L      135-146"),
      ),
    ).toEqual(["Glucose | 91 | mg/dL | 65..99 | normal", "Sodium | 140 | mmol/L | 135..146 | normal"]);
  });

  test("reads two tables side by side, the left one first", () => {
    const rows = parseRows(`
Test          Result  Units    Range           Test          Result  Units    Range
Glucose       91      mg/dL    65-99           AST           44 H    U/L      10-40
Sodium        140     mmol/L   135-146         ALT           31      U/L      7-46
`);
    expect(rows.map((row) => row.split(" | ")[0])).toEqual(["Glucose", "Sodium", "AST", "ALT"]);
    expect(rows[2]).toBe("AST | 44 | U/L | 10..40 | abnormal");
  });

  test("reads headings in two lines", () => {
    const rows = parseRows(`
                      Your                 Reference
Test                  Result    Units      Interval
Glucose               91        mg/dL      65-99
`);
    expect(rows).toEqual(["Glucose | 91 | mg/dL | 65..99 | normal"]);
  });
});

describe("parsing names", () => {
  test("joins a name that continues on the next line", () => {
    const rows = parseRows(`
Test                  Result    Units            Reference Range
Estimated glomerular  88        mL/min/1.73m2    >59
filtration rate
Glucose               91        mg/dL            65-99
`);
    expect(rows[0]).toBe("Estimated glomerular filtration rate | 88 | mL/min/1.73m2 | 59.. | normal");
    expect(rows).toHaveLength(2);
  });

  test("assigns a result below a name to that name", () => {
    const rows = parseRows(`
Test                  Result    Units      Reference Range
Vitamin D, 25-Hydroxy
                      18.2 L    ng/mL      30.0-100.0
`);
    expect(rows).toEqual(["Vitamin D, 25-Hydroxy | 18.2 | ng/mL | 30..100 | abnormal"]);
  });

  test("ignores comments and reports panel headings", () => {
    const { results } = parseTexts(`
Test                  Result    Units      Reference Range
LIPID PANEL
Cholesterol, Total    212 H     mg/dL      <200
  Desirable is below 200; see the note of the laboratory.
Triglycerides         88        mg/dL      <150
URINALYSIS
Glucose               Negative             Negative
`).data;
    expect(results.map((row) => [row.test_name, row.source_panel_name, row.loinc_matches?.[0]?.loinc_code])).toEqual([
      ["Cholesterol, Total", "LIPID PANEL", "2093-3"],
      ["Triglycerides", "LIPID PANEL", "2571-8"],
      ["Glucose", "URINALYSIS", "5792-7"],
    ]);
  });
});

test.each([
  ["Calcium", "direct"],
  ["Calcium, Ionized", "direct"],
  ["Calcitonin", "unknown"],
  ["LDL Chol Calc (NIH)", "calculated"],
  ["LDL Cholesterol, Calc'd", "calculated"],
  ["VLDL (calculated)", "calculated"],
  ["Iron Saturation, calculation", "calculated"],
  ["eGFR", "calculated"],
  ["BUN/Creatinine Ratio", "ratio"],
])("%s is a %s measurement", (name, kind) => {
  const { results } = parseTexts(`
Test                            Result    Units      Reference Range
${name.padEnd(32)}9.4       mg/dL      8.6-10.3
Sodium                          140       mmol/L     135-145
`).data;
  expect(results[0]).toMatchObject({ test_name: name, measurement_kind: kind });
});

describe("parsing without headings", () => {
  test("reads lines by their content", () => {
    const rows = parseRows(`
Patient ID      12345678        Collected   03/02/2025
Glucose                 112    H    mg/dL     65-99
Potassium ........... 4.1   mmol/L   (3.5-5.3)
HIV Ag/Ab               Non-Reactive          Non-Reactive
Hemoglobin A1c: 5.4 % (4.0-5.6)
`);
    expect(rows).toEqual([
      "Glucose | 112 | mg/dL | 65..99 | abnormal",
      "Potassium | 4.1 | mmol/L | 3.5..5.3 | normal",
      "HIV Ag/Ab | Non-Reactive | - | .. | normal",
      "Hemoglobin A1c | 5.4 | % | 4..5.6 | normal",
    ]);
  });
});

describe("parsing the report header", () => {
  test("finds values by labels before, above and within a grid", () => {
    const { metadata } = parseTexts(`
Sunrise Clinical Laboratory                    FINAL REPORT
Patient Name: DOE, JANE A      DOB: 04/09/1981     Sex: F
Specimen #: S-1029384          Collected           Reported
                               03/02/2025 08:15    03/04/2025 14:00

Test                  Result    Units       Reference Range
Glucose               112       mg/dL       65-99
`).data;
    expect(metadata).toEqual({
      patient_first_name: "JANE",
      patient_last_name: "DOE",
      dob: "1981-04-09",
      gender: "female",
      lab_name: "Sunrise Clinical Laboratory",
      date_reported: "2025-03-04",
      date_collected: "2025-03-02",
      specimen_number: "S-1029384",
    });
  });
});

test("the day of the submission completes years of two digits", () => {
  const pages = [
    textPage(`
Patient Name: DOE, JANE        DOB: 04/09/27     Sex: F
Collected: 03/02/27            Reported: 03/04/27

Test                  Result    Units       Reference Range
Glucose               91        mg/dL       65-99
Sodium                140       mmol/L      135-145
`),
  ];
  expect(parseReport(pages, bundledReportCatalogue, "2027-03-05").data.metadata).toMatchObject({
    dob: "1927-04-09",
    date_collected: "2027-03-02",
    date_reported: "2027-03-04",
  });
});
