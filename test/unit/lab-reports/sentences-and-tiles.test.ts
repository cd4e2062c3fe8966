import { expect, test } from "vitest";
import { parseRows, parseTexts } from "./text-page.ts";

test.each([
  [
    "running text",
    `
Chemistry, 01/02/2025

Glucose 112 mg/dL (65 to 99) HIGH; Sodium 140 mmol/L (135 to 145); Potassium
4.2 mmol/L (3.5 to 5.1).`,
  ],
  [
    "side-by-side tiles",
    `
Chemistry

Glucose                  Sodium                    Potassium

112 mg/dL                140 mmol/L                4.2 mmol/L
High                     In range                  In range
Between 65 and 99        Between 135 and 145       Between 3.5 and 5.1`,
  ],
  [
    "tests across, with their limits and the days below",
    `
Chemistry
Date / time            Glucose     Sodium     Potassium
Unit                   mg/dL       mmol/L     mmol/L
Lower limit            65          135        3.5
Upper limit            99          145        5.1
01/02/2023             90          138        4.0
01/02/2024             91                     4.1
01/02/2025             112 H       140        4.2`,
  ],
  [
    "headings over several columns",
    `
                           Result                    Reference limits     Last finding
Profile     Parameter
                           Value     Unit     Mark     lower     upper     Value     Date
BASIC       Glucose        112       mg/dL    H        65        99        90        01/02/2024
            Sodium         140       mmol/L            135       145       138       01/02/2024
            Potassium      4.2       mmol/L            3.5       5.1       4.0       01/02/2024`,
  ],
])("the parser reads %s", (_, text) => {
  expect(parseRows(text)).toEqual([
    "Glucose | 112 | mg/dL | 65..99 | abnormal",
    "Sodium | 140 | mmol/L | 135..145 | normal",
    "Potassium | 4.2 | mmol/L | 3.5..5.1 | normal",
  ]);
});

test("running text that is not a result, or may continue on the next page, raises a doubt", () => {
  const text = "\nGlucose 98 mg/dL (65 to 99); Sodium about 14o (135 to 145); Potassium 4.2 mmol/L (3.5 to 5.1)";
  const { data, doubts } = parseTexts(text);
  expect(data.results.map(({ test_name }) => test_name)).toEqual(["Glucose", "Potassium"]);
  expect(doubts.filter(({ reason }) => reason === "left_over").map(({ row }) => row)).toEqual([0, 1]);
  const whole = parseTexts(`${text.replace(" Sodium about 14o (135 to 145);", "")}.`);
  expect(whole.doubts).toEqual([]);
});

test("an unparsable line under a tile raises a doubt", () => {
  const { doubts } = parseTexts(`
Glucose                  Sodium
98 mg/dL                 140 mmol/L
Between 65 and 99        Between 135 and 145
see 4 below              Good`);
  expect(doubts).toEqual([{ row: 0, reason: "left_over" }]);
});

test("the unit in the result heading applies to numbers without a unit, but not to ratios", () => {
  const rows = parseRows(`
Component                  Result (mg/dL)     Reference
Glucose                    98                 65 - 99
Ferritin                   296 ng/mL          30 - 400
Chol/HDL Ratio             2.6                < 5.1
Triglycerides              120                < 150`);
  expect(rows).toEqual([
    "Glucose | 98 | mg/dL | 65..99 | normal",
    "Ferritin | 296 | ng/mL | 30..400 | normal",
    "Chol/HDL Ratio | 2.6 | - | ..5.1 | normal",
    "Triglycerides | 120 | mg/dL | ..150 | normal",
  ]);
});

test.each([
  ["Deficient: < 20", "Insufficient: 20 - 29", "Sufficient: 30 - 100", "Toxic: > 100"],
  ["Low: < 30", "Normal: 30 - 100", "High: > 100"],
])("the normal grade gives the range: %s", (first, ...others) => {
  const below = others.map((line) => `${" ".repeat(60)}${line}`).join("\n");
  const rows = parseRows(`
Test                     Result     Unit                    Reference
Vitamin D, 25-OH         61         ng/mL                   ${first}
${below}`);
  expect(rows).toEqual(["Vitamin D, 25-OH | 61 | ng/mL | 30..100 | normal"]);
});

test("grades without a normal grade give no range, and the row is doubtful", () => {
  const { data, doubts } = parseTexts(`
Test                     Result     Unit                    Reference
Vitamin D, 25-OH         61         ng/mL                   Moderate: 20 - 29
                                                            Severe: 30 - 100`);
  expect(data.results).toMatchObject([{ min_reference_range: null, max_reference_range: null }]);
  expect(doubts).toContainEqual({ row: 0, reason: "incomplete" });
});

test("a method in brackets that repeats words of a name is not part of the name", () => {
  const rows = parseRows(`
Test                            Result     Unit      Reference
LDL Cholesterol, Calculated     98         mg/dL     < 100
(Calculated)
Triglycerides                   120        mg/dL     < 150`);
  expect(rows).toEqual([
    "LDL Cholesterol, Calculated | 98 | mg/dL | ..100 | normal",
    "Triglycerides | 120 | mg/dL | ..150 | normal",
  ]);
});

test("bilingual labels and ages and ranges with nested brackets are read", () => {
  const { data } = parseTexts(`
Name / Nom: Doe, Jane          Sex / Sexe: F
Date of birth / Date de naissance: 1980-02-06
Collected / Pris: 2023-06-11

Test                Result     Unit      Reference
Hemoglobin          150        g/L       0-5 y/ans: 104 - 142
                                         6-17 y/ans: 117 - 159
                                         18+ y/ans: 130 - 177
LDL Cholesterol     82                   [<=99 mg/dL (calc)]`);
  expect(data.metadata).toMatchObject({ patient_last_name: "Doe", gender: "female", dob: "1980-02-06" });
  const [hemoglobin, ldl] = data.results;
  expect(hemoglobin).toMatchObject({ min_reference_range: 130, max_reference_range: 177 });
  expect(ldl).toMatchObject({ units: "mg/dL (calc)", max_reference_range: 99 });
});

test("an unknown sign beside a value raises a doubt", () => {
  const report = (sign: string) => `
Test           Result     Flag     Unit      Reference
Glucose        112        ${sign.padEnd(2)}       mg/dL     65 - 99
Sodium         140                 mmol/L    135 - 145
Potassium      4.2                 mmol/L    3.5 - 5.1`;
  expect(parseTexts(report("◆◆")).doubts).toEqual([{ row: 0, reason: "left_over" }]);
  expect(parseTexts(report("▲▲")).data.results[0]?.interpretation).toBe("critical");
});
