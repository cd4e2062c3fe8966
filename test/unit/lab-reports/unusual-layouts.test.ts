import { expect, test } from "vitest";
import { parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import { selectRange } from "../../../lib/domain/lab-reports/row/population-ranges.ts";
import { bundledReportCatalogue, parseRows, parseTexts, SUBMITTED_ON, textPage } from "./text-page.ts";

const three = [
  "Glucose | 112 | mg/dL | 65..99 | abnormal",
  "Sodium | 140 | mmol/L | 135..145 | normal",
  "Potassium | 4.2 | mmol/L | 3.5..5.1 | normal",
];

test.each([
  [
    "each part of a result on a line with its label",
    `
Test:         Glucose
Result:       112 H
Units:        mg/dL
Reference:    65-99

Test:         Sodium
Result:       140
Units:        mmol/L
Reference:    135-145

Test:         Potassium
Result:       4.2
Units:        mmol/L
Reference:    3.5-5.1`,
  ],
  [
    "values before names",
    `
112 H     mg/dL     Glucose            65 - 99
140       mmol/L    Sodium             135 - 145
4.2       mmol/L    Potassium          3.5 - 5.1`,
  ],
  [
    "lines of text",
    `
Glucose: 112 mg/dL [HIGH] (normal 65 to 99)
Sodium: 140 mmol/L (normal 135 to 145)
Potassium is 4.2 mmol/L, normal 3.5-5.1`,
  ],
  [
    "parts with commas between them",
    `
Glucose, 112 H, mg/dL, 65-99
Sodium, 140, mmol/L, 135-145
Potassium, 4.2, mmol/L, 3.5-5.1`,
  ],
  [
    "side-by-side tests",
    `
Test          Glucose     Sodium      Potassium
Units         mg/dL       mmol/L      mmol/L
Reference     65-99       135-145     3.5-5.1
05/06/2025    112         140         4.2
Flag          H`,
  ],
  [
    "dates below one another",
    `
Date          Glucose     Sodium      Potassium
              mg/dL       mmol/L      mmol/L
05/06/2025    112 H       140         4.2
01/02/2025    98          139         4.0
Reference     65-99       135-145     3.5-5.1`,
  ],
  [
    "side-by-side dates, latest last",
    `
Test              01/02/2025   05/06/2025   Units     Reference Range
Glucose           98           112 H        mg/dL     65-99
Sodium            139          140          mmol/L    135-145
Potassium         4.0          4.2          mmol/L    3.5-5.1`,
  ],
  [
    "today's results under a heading of two lines between others",
    `
                                            Current          Previous results
Analysis          Unit       Reference      05/06/2025       05/06/2024   05/06/2023
Glucose           mg/dL      65-99          112 H            98
Sodium            mmol/L     135-145        140                           139
Potassium         mmol/L     3.5-5.1        4.2              4.0          4.1`,
  ],
  [
    "two systems of units",
    `
Test                Result   Units    Reference     Result   Units    Reference
Glucose             112 H    mg/dL    65-99         6.2 H    mmol/L   3.6-5.5
Sodium              140      mmol/L   135-145       140      mmol/L   135-145
Potassium           4.2      mmol/L   3.5-5.1       4.2      mmol/L   3.5-5.1`,
  ],
  [
    "units in names",
    `
Determination (unit)      Limits        Finding
Glucose (mg/dL)           65-99         112 H
Sodium (mmol/L)           135-145       140
Potassium, mmol/L         3.5-5.1       4.2`,
  ],
  [
    "a value with its range in one column",
    `
Test                 Result                  Flag
Glucose              112 mg/dL (65-99)       H
Sodium               140 mmol/L (135-145)
Potassium            4.2 mmol/L (3.5-5.1)`,
  ],
  [
    "units under values, and ranges beside them",
    `
Analysis                 Result      Normal values
Glucose                     112 H    65 - 99
                          mg/dL
Sodium                      140      135 - 145
                         mmol/L
Potassium                   4.2      3.5 - 5.1
Ion selective            mmol/L`,
  ],
  [
    "bounds under a bar",
    `
Glucose          112 mg/dL                        High
                             65        99

Sodium           140 mmol/L                       Normal
                             135       145

Potassium        4.2 mmol/L                       Normal
                             3.5       5.1`,
  ],
])("the parser reads %s", (_, text) => {
  const report = parseTexts(text);
  expect(parseRows(text)).toEqual(three);
  expect(report.doubts).toEqual([]);
});

test("the parser reads side-by-side cards one after another, and marks belong to the name behind them", () => {
  const rows = parseRows(`
Electrolytes                                 Iron
             Result   Expected                            Result   Expected
Sodium       140      135-145 mmol/L       * Iron         200      38-169 ug/dL
Potassium    4.2      3.5-5.1 mmol/L         Ferritin     100      30-400 ng/mL
Chloride     101      96-106 mmol/L          TIBC         300      250-450 ug/dL`);
  expect(rows).toEqual([
    "Sodium | 140 | mmol/L | 135..145 | normal",
    "Potassium | 4.2 | mmol/L | 3.5..5.1 | normal",
    "Chloride | 101 | mmol/L | 96..106 | normal",
    "Iron | 200 | ug/dL | 38..169 | abnormal",
    "Ferritin | 100 | ng/mL | 30..400 | normal",
    "TIBC | 300 | ug/dL | 250..450 | normal",
  ]);
});

test("commas are decimal points when a report has no others, and values keep their printed form", () => {
  const rows = parseRows(`
Test              Result     Units      Range
Potassium         4,2        mmol/L     3,5 – 5,1
TSH               5,023 H    mIU/L      0,45 – 4,50
Calcium           2,41       mmol/L     2,17 – 2,54`);
  expect(rows[1]).toBe("TSH | 5,023 | mIU/L | 0.45..4.5 | abnormal");
  expect(parseRows("Platelets       1,250    K/uL    150-450")[0]).toBe(
    "Platelets | 1,250 | K/uL | 150..450 | abnormal",
  );
});

test("superscript codes are not part of a name, and other codes are", () => {
  const page = textPage("Glucose  01      98       mg/dL      65-99");
  const [name, code, ...others] = page.words;
  if (!name || !code) throw new Error("no words");
  const raised = { ...code, left: name.left + name.width + 1, width: 5, height: 5, top: name.top - 1 };
  const nameIn = (words: typeof page.words) =>
    parseReport([{ ...page, words }], bundledReportCatalogue, SUBMITTED_ON).data.results[0]?.test_name;
  expect(nameIn([name, raised, ...others])).toBe("Glucose");
  expect(nameIn([name, { ...raised, height: 9, top: name.top }, ...others])).not.toBe("Glucose");
});

test.each([
  ["Men 57 - 127 Women 50 - 112", "50 - 112"],
  ["M 0.76-1.27; F 0.57-1.00", "0.57-1.00"],
  ["13-17 (M), 12-15 (F)", "12-15"],
  ["Adult female: 12-15; Adult male: 13-17; Child 11-14", "12-15"],
  ["0-17 years: 0.54 - 8.55 18 years and over: 0.45 - 4.50", "0.45 - 4.50"],
  ["18-40 y 1-2 >40 y 3-4", "3-4"],
  ["3.80-5.10 M/uL", "3.80-5.10 M/uL"],
  ["Male: 43 - 192", null],
])("the ranges %s give %s for a woman of 45", (text, own) => {
  expect(selectRange(text, { sex: "female", age: 45 })).toBe(own);
});

test.each([
  ["Male: 30 - 400", { sex: null, age: 45 }, null],
  ["Male: 30 - 400", { sex: "male", age: null }, "30 - 400"],
  ["Male: 30 - 400 Female: 30 - 400", { sex: null, age: null }, "30 - 400"],
  ["Male: 30 - 400 Female: 13 - 150", { sex: null, age: null }, null],
  ["18+ years: 130 - 177", { sex: "male", age: null }, null],
  ["Adults: 130 - 177", { sex: "male", age: null }, null],
  ["0-17 years: 1 - 2 18 years and over: 1 - 2", { sex: "male", age: null }, "1 - 2"],
  ["0-17 years: 1 - 2 18 years and over: 3 - 4", { sex: "male", age: null }, null],
  ["Male 18+ y: 13 - 17 Female 18+ y: 12 - 15", { sex: "female", age: null }, null],
  ["Male: 13 - 17 Female: 12 - 15 Pregnant: 11 - 14", { sex: "female", age: null }, "12 - 15"],
  ["Male: 13 - 17 Female: 12 - 15 Child: 11 - 14", { sex: "female", age: null }, null],
] as const)("the ranges %s for %o give %s", (text, patient, own) => {
  expect(selectRange(text, patient)).toBe(own);
});

test("no range applies when it is for other people or the report does not state sex or age", () => {
  const iron = "Iron, Total       94 mcg/dL\n  Reference range: Male: 43 - 192\n                   Female: 38 - 169\n";
  expect(parseRows(`Sex: Female\n\n${iron}`)).toEqual(["Iron, Total | 94 | mcg/dL | 38..169 | normal"]);
  const report = parseTexts(iron);
  expect(report.data.results[0]).toMatchObject({ min_reference_range: null, interpretation: null });
  expect(report.doubts.map(({ reason }) => reason)).toContain("incomplete");
});
