import { expect, test } from "vitest";
import type { ReportWord } from "../../../../lib/domain/lab-reports/page/report-page.ts";
import { mergeReadings } from "../../../../lib/labs/reports/recognition/merge-readings.ts";

const word = (text: string, left: number, confidence: number, top = 100): ReportWord => ({
  text,
  left,
  top,
  width: text.length * 5,
  height: 8,
  confidence,
});
const pairsOf = (words: readonly ReportWord[]) => words.map(({ text, confidence }) => [text, confidence]);

test("a word that two readings share keeps its confidence and order", () => {
  const first = [word("Glucose", 50, 96), word("112", 200, 93)];
  expect(pairsOf(mergeReadings(first, [word("112", 201, 80), word("Glucose", 50, 90)]))).toEqual([
    ["Glucose", 96],
    ["112", 93],
  ]);
});

test("the more confident of two different readings wins with reduced confidence", () => {
  expect(pairsOf(mergeReadings([word("1:82", 50, 60)], [word("1.82", 50, 95)]))).toEqual([["1.82", 70]]);
  expect(pairsOf(mergeReadings([word("H", 50, 91)], [word("B", 50, 40)]))).toEqual([["H", 70]]);
});

test("a decimal point in one reading wins over a more confident reading without it", () => {
  expect(pairsOf(mergeReadings([word("41", 50, 97)], [word("4.1", 50, 60)]))).toEqual([["4.1", 60]]);
});

test("words that the other reading joins are compared as a whole", () => {
  const apart = [word("4.1", 50, 90), word("-", 68, 90), word("5.1", 76, 90)];
  expect(pairsOf(mergeReadings([word("4.1-5.1", 50, 88)], apart))).toEqual([
    ["4.1", 90],
    ["-", 90],
    ["5.1", 90],
  ]);
  expect(pairsOf(mergeReadings(apart, [word("41-5.1", 50, 95)]))).toEqual([
    ["4.1", 70],
    ["-", 70],
    ["5.1", 70],
  ]);
});

test("a word of one reading only has reduced confidence and keeps its position on the line", () => {
  const first = [word("Sodium", 50, 95), word("mmol/L", 300, 95), word("next", 50, 95, 120)];
  expect(pairsOf(mergeReadings(first, [...first, word("140", 200, 92)]))).toEqual([
    ["Sodium", 95],
    ["140", 70],
    ["mmol/L", 95],
    ["next", 95],
  ]);
  expect(pairsOf(mergeReadings([word("~", 10, 90)], []))).toEqual([["~", 70]]);
});
