import { expect, test } from "vitest";
import { compareQualitative, isAbsence, readFinding } from "../../../lib/domain/results/values/compare-qualitative.ts";

test.each([
  ["Non-Reactive", "Negative"],
  ["NONREACTIVE", "Non - Reactive"],
  ["Not Detected", "Negative"],
  ["NEG", "Negative"],
  ["Negative", "NEG"],
  ["Neg", "Negative."],
  ["Not Detected", "None Detected"],
  ["None", "None Seen"],
  ["Negative", "Neg/Trace"],
  ["Trace", "Negative - Trace"],
  ["Rare", "None seen/Few"],
  ["Clear", "Clear-Slightly Hazy"],
  ["Sl. Hazy", "Clear to Slightly Hazy"],
  ["Pale Yellow", "Yellow"],
  ["Straw", "YELLOW"],
  ["Amber", "Yellow, Amber"],
  ["Immune", "Immune (>0.99)"],
  ["Negative (0.20)", "Negative <0.90"],
  ["Negative (Not Detected)", "Negative"],
  ["1 +", "Small"],
  ["Reactive", "Positive"],
  ["Normal", "Negative"],
  ["Lambda light chain", "lambda light-chain"],
  ["Negative", "Negative or other"],
])("%s is normal where %s is expected", (value, expected) => {
  expect(compareQualitative(value, expected)).toBe("normal");
});

test.each([
  ["Reactive", "Negative"],
  ["Weakly Positive", "Negative"],
  ["Detected", "None Detected"],
  ["Negative", "Reactive"],
  ["Present", "None seen"],
  ["Trace", "Negative"],
  ["1+", "Neg/Trace"],
  ["Many", "None-Few"],
  ["Cloudy", "Clear-Slightly Hazy"],
  ["Red", "Yellow"],
  ["Non-Immune", "Immune (>0.99)"],
  ["Abnormal", "Normal"],
])("%s is abnormal where %s is expected", (value, expected) => {
  expect(compareQualitative(value, expected)).toBe("abnormal");
});

test.each([
  ["Equivocal", "Negative"],
  ["Positive", "Negative or Trace"],
  ["Positive", "Negative or other"],
  ["Few", "Neg/Trace"],
  ["None seen", "Few"],
  ["Amber", "Yellow"],
  ["Red", "Yellow-Amber"],
  ["Immune", "Positive"],
  ["See note", "Negative"],
  ["Cloudy", "Yellow"],
  ["Neg/Trace", "Negative"],
  ["constructor", "Negative"],
  ["", "Negative"],
  ["Negative", "(>1)"],
])("%s cannot be compared with %s", (value, expected) => {
  expect(compareQualitative(value, expected)).toBeNull();
});

test("some words state absence or a finding by themselves", () => {
  expect(["None Seen", "Negative (Not Detected)", "Rare", ""].map(isAbsence)).toEqual([true, true, false, false]);
  expect(["Normal", "ABNORMAL", "Negative"].map(readFinding)).toEqual(["normal", "abnormal", null]);
});
