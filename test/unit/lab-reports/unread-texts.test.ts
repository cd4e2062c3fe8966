import { expect, test } from "vitest";
import { isSentence, mayBeResultText } from "../../../lib/domain/lab-reports/row/unread-texts.ts";
import { parseTexts } from "./text-page.ts";

const doubts = (text: string) => parseTexts(text).doubts.map(({ reason }) => reason);

test.each(["mg/dL", "H", "65", "< 5", "65-99", "Female: 38 - 169", "Negative", "(1)", "98 of 100"])(
  "%s may belong to a result",
  (text) => expect(mayBeResultText(text)).toBe(true),
);

test.each([
  "01",
  "RN",
  "2345-7",
  "Final",
  "03/02/2025 08:15",
  "Enzymatic, colorimetric",
  "Page 1 of 2",
  "Interpret with the 2 notes below",
])("%s does not belong to a result", (text) => expect(mayBeResultText(text)).toBe(false));

test("a comment with numbers is a sentence, and a list of numbers is not", () => {
  expect(isSentence("Values of 126 mg/dL or more suggest diabetes.")).toBe(true);
  expect(isSentence("Female: 38 - 169")).toBe(false);
});

test.each([
  ["another number in the row", "Glucose          98        95        mg/dL      65-99"],
  ["a number below the row", "Glucose          98        mg/dL      65-99\n                 95"],
  ["an unknown column", "Test        Result   Z-score   Units    Range\nGlucose     98       2.4       mg/dL    65-99"],
  [
    "a range for other people below its own",
    "Glucose          98        mg/dL      65-99\n                                      Children 50-80",
  ],
])("a row with %s is doubtful", (_, text) => {
  expect(doubts(text)).toContain("left_over");
});

test("comments, methods and explanations of other values raise no doubt", () => {
  const row = "Test              Result    Units     Range\nHemoglobin A1c    5.1       %         4.8-5.6";
  for (const below of ["Diabetes: >6.4", "Method: Hexokinase", "Values of 6.5 or more on two days suggest diabetes."])
    expect(doubts(`${row}\n    ${below}`)).toEqual([]);
});

test.each([
  ["no unit although the test has one", "Glucose          98                 65-99"],
  ["a note reference as its range", "Test      Result   Units    Range\nGlucose   98       mg/dL    (1)"],
  ["two results in one", "Test           Result             Expected\nUrine Color    Amber Yellow       Yellow"],
  ["a truncated name", "Test               Result   Units    Range\nGlucose,           98       mg/dL    65-99"],
])("a row with %s is doubtful", (_, text) => {
  expect(doubts(text)).toContain("incomplete");
});

test("a flag beside a value within its range is doubtful", () => {
  expect(doubts("Glucose       98 *        mg/dL       65-99")).toContain("flag_disagrees");
});

test("a name that only resembles a known name is doubtful", () => {
  expect(doubts("VLDL Cholesterol Cal 01       22        mg/dL       5-40")).toContain("unsure_test");
});
