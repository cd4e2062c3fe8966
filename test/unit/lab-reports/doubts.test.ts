import { expect, test } from "vitest";
import { parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import { insertDecimalPoint, repairNumber } from "../../../lib/domain/lab-reports/row/repair-numbers.ts";
import { repairUnits } from "../../../lib/domain/lab-reports/row/repair-units.ts";
import { bundledReportCatalogue, parseTexts, SUBMITTED_ON, textPage } from "./text-page.ts";

const HEADING = "Test                  Result    Flag   Units       Reference Range\n";
const scanned = (text: string, confidence = 96) =>
  parseReport([textPage(HEADING + text, "image", confidence)], bundledReportCatalogue, SUBMITTED_ON);
const reasons = (report: ReturnType<typeof scanned>) => report.doubts.map(({ reason }) => reason);

test("a clear report has no doubts", () => {
  const report = parseTexts(`${HEADING}Glucose               91               mg/dL       65-99`);
  expect(report.doubts).toEqual([]);
  expect(report.isDoubtful).toBe(false);
});

test("a report without rows is doubtful", () => {
  expect(parseTexts("Nothing to be seen here").isDoubtful).toBe(true);
});

test.each([
  ["Glucose               9100      H      mg/dL       65-99", "implausible_value"],
  ["Glucose               91               mg/dL       99-65", "inverted_range"],
  ["Glucose               5.1              U/L         3.6-5.5", "unit_disagrees"],
  ["Glucose               91        H      mg/dL       65-99", "flag_disagrees"],
])("the row %s is doubted for %s", (line, reason) => {
  expect(parseTexts(HEADING + line).doubts.map((doubt) => doubt.reason)).toContain(reason);
});

test("the second of two rows of one test is doubted", () => {
  const line = "Glucose               91               mg/dL       65-99";
  expect(parseTexts(`${HEADING}${line}\n${line}`).doubts).toEqual([{ row: 1, reason: "duplicate" }]);
});

test("words with low recognition confidence are doubted", () => {
  expect(reasons(scanned("Glucose               91               mg/dL       65-99", 70))).toContain("hard_to_read");
});

test("rows of scans without a unit or a range are doubted", () => {
  expect(reasons(scanned("Glucose               91                           65-99"))).toContain("incomplete");
});

test("misread names, numbers and units of a scan are repaired and marked as repaired", () => {
  const report = scanned(
    "Hemoglobin Alc        5.4              %           4.8-5.6\nTSH                   l.O2             ulU/mL      0.45-4.50",
  );
  expect(report.data.results.map((row) => [row.test_name, row.value, row.units])).toEqual([
    ["Hemoglobin A1c", "5.4", "%"],
    ["TSH", "1.02", "uIU/mL"],
  ]);
  expect(reasons(report).filter((reason) => reason === "repaired")).toHaveLength(2);
});

test("a lost decimal point in a value or a range is restored", () => {
  const { results } = scanned(
    "Potassium             41               mmol/L      3.5-5.1\nMCHC                  34.9             g/dL        315-357",
  ).data;
  expect(results.map((row) => [row.value, row.min_reference_range, row.max_reference_range])).toEqual([
    ["4.1", 3.5, 5.1],
    ["34.9", 31.5, 35.7],
  ]);
});

test("a unit is repaired by the magnitude of its value, and bounds by each other", () => {
  const { results } = scanned(
    [
      "Albumin               5.3              mg/dL       3.8-49",
      "Sodium                140              mmol/L      1.34-144",
      "Glucose               91               mg/dL       65-99",
    ].join("\n"),
  ).data;
  expect(results.map((row) => [row.units, row.min_reference_range, row.max_reference_range])).toEqual([
    ["g/dL", 3.8, 4.9],
    ["mmol/L", 134, 144],
    ["mg/dL", 65, 99],
  ]);
});

test("misread specks and rulings are dropped, and the row is doubted", () => {
  const report = scanned(
    "Ferritin -            141              ng/mL EB    30-400 5\nHDL. Cholesterol      136 -            mg/dL       + >39",
  );
  expect(report.data.results).toMatchObject([
    { test_name: "Ferritin", value: "141", units: "ng/mL", min_reference_range: 30, max_reference_range: 400 },
    { test_name: "HDL Cholesterol", value: "136", units: "mg/dL", min_reference_range: 39 },
  ]);
  expect(reasons(report).filter((reason) => reason === "repaired")).toHaveLength(2);
});

test("spaces in a name, seconds behind a value, and a unit joined to a value are repaired", () => {
  const { results } = scanned(
    [
      "Basophils%            1                %           0-2",
      "aPTT                  28s                          24-33",
      "Iron                  205 mcg/dL.                  38-169",
      "WBC                   11.0             10A9/L      (3.4-10.8) 101n9/L",
      "Simplex 21gG          7                U/mL        0-20",
    ].join("\n"),
  ).data;
  expect(results.map((row) => [row.test_name, row.value, row.units, row.max_reference_range])).toEqual([
    ["Basophils %", "1", "%", 2],
    ["aPTT", "28", "s", 33],
    ["Iron", "205", "mcg/dL", 169],
    ["WBC", "11.0", "10^9/L", 10.8],
    ["Simplex 2 IgG", "7", "U/mL", 20],
  ]);
});

test("a text layer is not repaired", () => {
  expect(
    parseTexts(`${HEADING}Potassium             41        HH     mmol/L      3.5-5.1`).data.results[0]?.value,
  ).toBe("41");
});

test.each([
  ["l.O2", "1.02"],
  ["4,1", "4.1"],
  ["1,250", "1,250"],
  ["5: 2", "5.2"],
  ["09", "0.9"],
  ["0]", "0"],
  ["Til", null],
])("the number %s is repaired to %s", (read, printed) => {
  expect(repairNumber(read)).toBe(printed);
});

test("a decimal point is inserted only when the number then fits", () => {
  expect(insertDecimalPoint("41", 1, 3.5, 5.1)).toBe("4.1");
  expect(insertDecimalPoint("41", 1, 35, 51)).toBeNull();
});

test.each([
  ["ulU/mL", "uIU/mL"],
  ["mlU/L", "mIU/L"],
  ["mg/dl", "mg/dl"],
  ["1079/L", "10^9/L"],
  ["uIu/mL", "uIU/mL"],
  ["mg/dL EB", "mg/dL"],
  ["mOsm/kg", "mOsm/kg"],
  ["mL/min/1.73m2", "mL/min/1.73m2"],
  ["meg/dl.", "mcg/dL"],
  ["umol/l.", "umol/l"],
  ["10M2/L", "10^12/L"],
  ["kangaroos", null],
])("the unit %s is repaired to %s", (read, printed) => {
  expect(repairUnits(read)).toBe(printed);
});
