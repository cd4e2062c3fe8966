import { expect, test } from "vitest";
import { parseRows, parseTexts } from "./text-page.ts";

const four = [
  "Glucose | 112 | mg/dL | 65..99 | abnormal",
  "Sodium | 140 | mmol/L | 135..145 | normal",
  "Potassium | 4.2 | mmol/L | 3.5..5.1 | normal",
  "Chloride | 101 | mmol/L | 98..107 | normal",
];

test.each([
  [
    "unknown headings",
    `
Quantity      Obtained   Sign   Measured in   Healthy people
Glucose       112        H      mg/dL         65 - 99
Sodium        140               mmol/L        135 - 145
Potassium     4.2               mmol/L        3.5 - 5.1
Chloride      101               mmol/L        98 - 107`,
  ],
  [
    "codes of materials before the values, and results of another day behind the ranges",
    `
Examination   Mat.   Result   +/-   Unit     Normal range   Previous finding
Glucose       P      112      +     mg/dL    65 - 99        91
Sodium        S      140            mmol/L   135 - 145      139
Potassium     S      4.2            mmol/L   3.5 - 5.1
Chloride      S      101            mmol/L   98 - 107       100`,
  ],
  [
    "units in brackets and signs behind values",
    `
Glucose       112 +   [mg/dL]    ( 65 - 99 )
Sodium        140     [mmol/L]   ( 135 - 145 )
Potassium     4.2     [mmol/L]   ( 3.5 - 5.1 )
Chloride      101     [mmol/L]   ( 98 - 107 )`,
  ],
  [
    "ranges with their units before the values of several days",
    `
Component     Latest Ref Rng & Units   03/04/2024   01/02/2023
Glucose       65 - 99 mg/dL            112 (H)      90
Sodium        135 - 145 mmol/L         140          141
Potassium     3.5 - 5.1 mmol/L         4.2
Chloride      98 - 107 mmol/L          101          103`,
  ],
  [
    "bounds in columns without headings",
    `
Glucose       112   H   mg/dL    65    99
Sodium        140       mmol/L   135   145
Potassium     4.2       mmol/L   3.5   5.1
Chloride      101       mmol/L   98    107`,
  ],
  [
    "lists of labelled lines under names",
    `
Glucose
  Value:             112
  Units:             mg/dL
  Reference range:   65-99
  Interpretation:    High
  Status:            Final

Sodium
  Value:             140
  Units:             mmol/L
  Reference range:   135-145

Potassium
  Value:             4.2
  Units:             mmol/L
  Reference range:   3.5-5.1

Chloride
  Value:             101
  Units:             mmol/L
  Reference range:   98-107`,
  ],
])("the parser reads a table with %s", (_, text) => {
  expect(parseRows(text)).toEqual(four);
});

test("a hyphen in a column of signs does not flag a value within its range", () => {
  const text = `
Test          Result   +/-   Unit     Normal range
Glucose       92       -     mg/dL    65 - 99
Sodium        130      -     mmol/L   135 - 145
Potassium     4.2      +     mmol/L   3.5 - 5.1`;
  expect(parseTexts(text).data.results.map(({ interpretation }) => interpretation)).toEqual([
    "normal",
    "abnormal",
    "normal",
  ]);
});

test("two unknown columns of numbers raise a doubt for every row", () => {
  const text = `
Glucose       92    88    mg/dL    65 - 99
Sodium        140   139   mmol/L   135 - 145
Potassium     4.2   4.4   mmol/L   3.5 - 5.1
Chloride      101   99    mmol/L   98 - 107`;
  const { doubts, data } = parseTexts(text);
  expect(data.results).toHaveLength(4);
  expect(new Set(doubts.map(({ row }) => row)).size).toBe(4);
});

test("a column of codes is not read as values", () => {
  const text = `
Test          Result   Method       Test Code   Units    Normal
Glucose       92       Enzymatic    2345        mg/dL    65 - 99
Sodium        140      Electrode    2951        mmol/L   135 - 145
Potassium     4.2      Electrode    2823        mmol/L   3.5 - 5.1`;
  expect(parseRows(text).map((row) => row.split(" | ")[1])).toEqual(["92", "140", "4.2"]);
});
