import { describe, expect, test } from "vitest";
import { parseTexts } from "./text-page.ts";

const HEADING = "Test                  Result          Reference Range       Units\n";
const OTHER = "Sodium                140             135-145               mmol/L\n";

/** The interpretation of a result in a range, and the doubts of its row. */
function interpret(name: string, value: string, range: string, units = "") {
  const line = `${name.padEnd(22)}${value.padEnd(16)}${range.padEnd(22)}${units}`;
  const { data, doubts } = parseTexts(`${HEADING}${line}\n${OTHER}`);
  const [row] = data.results;
  return { ...row, doubts: doubts.map(({ reason }) => reason) };
}

describe("a qualitative result", () => {
  test.each([
    ["HIV Ag/Ab", "Non-Reactive", "Negative"],
    ["HIV Ag/Ab", "NEG", "Negative"],
    ["Bacteria", "None", "None Seen"],
    ["Protein", "Negative", "Neg/Trace"],
    ["Appearance", "Clear", "Clear-Slightly Hazy"],
    ["Color", "Pale Yellow", "Yellow"],
    ["Rubella IgG", "Immune", "Immune (>0.99)"],
    ["RBC", "None Seen", "0-5"],
    ["HIV-1 RNA", "Not Detected", "<20"],
  ])("of %s, %s, is normal in %s", (name, value, range) => {
    const row = interpret(name, value, range);
    expect([row.interpretation, row.doubts.includes("not_comparable")]).toEqual(["normal", false]);
  });

  test("is abnormal if it is the opposite of the expected one", () => {
    expect(interpret("HIV Ag/Ab", "Reactive", "Negative")).toMatchObject({ interpretation: "abnormal", doubts: [] });
  });

  test.each([
    ["HIV Ag/Ab", "Equivocal", "Negative"],
    ["Color", "Amber", "Yellow"],
    ["RBC", "Present", "0-5"],
    ["Ferritin", "None", "20-50"],
  ])("of %s, %s, is doubtful without an interpretation in %s", (name, value, range) => {
    const row = interpret(name, value, range);
    expect(row.interpretation).toBeNull();
    expect(row.doubts).toContain("not_comparable");
  });

  test("that is missing has no interpretation and needs no review for that", () => {
    expect(interpret("HIV Ag/Ab", "QNS", "Negative")).toMatchObject({ interpretation: null, doubts: [] });
  });
});

describe("a number", () => {
  test.each([
    ["Vitamin D, 25-Hydroxy", ">100", "30-100", "ng/mL", "abnormal", true, false],
    ["Vitamin B12", "<200", "200-1100", "pg/mL", "abnormal", false, true],
    ["Hemoglobin A1c", "5.7", "<5.7", "%", "abnormal", true, null],
    ["Hemoglobin A1c", "5.7", "< OR = 5.7", "%", "normal", false, null],
    ["Hemoglobin A1c", "5.6", "<5.7", "%", "normal", false, null],
    ["Cholesterol, Total", "200", "less than 200", "mg/dL", "abnormal", true, null],
    ["Cholesterol, Total", "200", "up to 200", "mg/dL", "normal", false, null],
    ["eGFR", "59", ">59", "mL/min/1.73m2", "abnormal", null, true],
    ["eGFR", "60", ">=60", "mL/min/1.73m2", "normal", null, false],
    ["eGFR", ">90", ">59", "mL/min/1.73m2", "normal", null, false],
    ["HDL Cholesterol", "39", ">39", "mg/dL", "abnormal", null, true],
    ["C-Reactive Protein", "<1.0", "<1.0", "mg/L", "normal", false, null],
    ["C-Reactive Protein", "<0.3", "0.0-1.0", "mg/L", "normal", false, false],
    ["TSH", "<0.005", "0.4-4.5", "uIU/mL", "abnormal", false, true],
  ])("of %s, %s, in the range %s %s is %s", (name, value, range, units, interpretation, isAbove, isBelow) => {
    expect(interpret(name, value, range, units)).toMatchObject({
      interpretation,
      is_above_max_range: isAbove,
      is_below_min_range: isBelow,
      doubts: [],
    });
  });

  test.each([
    ["C-Reactive Protein", "<3.0", "<1.0", "mg/L", null, null],
    ["TSH", "<0.5", "0.4-4.5", "uIU/mL", false, null],
    ["Ferritin", ">200", "30-400", "ng/mL", null, false],
  ])("of %s, %s, is doubtful without an interpretation in %s %s", (name, value, range, units, isAbove, isBelow) => {
    expect(interpret(name, value, range, units)).toMatchObject({
      interpretation: null,
      is_above_max_range: isAbove,
      is_below_min_range: isBelow,
      doubts: ["not_comparable"],
    });
  });

  test("whose flag contradicts a comparator is doubtful", () => {
    expect(interpret("Ferritin", "<10 H", "30-400", "ng/mL").doubts).toEqual(["flag_disagrees"]);
    expect(interpret("Hemoglobin A1c", "5.7 H", "<5.7", "%").doubts).toEqual([]);
    expect(interpret("Hemoglobin A1c", "5.7 *", "<5.7", "%").doubts).toEqual([]);
  });
});

describe("a titer", () => {
  test.each([
    ["ANA Titer", "1:80", "<1:40", "abnormal"],
    ["ANA Titer", "1:40", "<1:40", "abnormal"],
    ["ANA Titer", "1:40", "< OR = 1:40", "normal"],
    ["ANA Titer", "<1:40", "<1:40 titer", "normal"],
    ["ANA Titer", ">=1:1280", "less than 1:40", "abnormal"],
    ["RPR Titer", "<1:1", "<1:1", "normal"],
    ["ANA Titer", "Negative", "<1:40", "normal"],
  ])("of %s, %s, in the range %s is %s by its denominator", (name, value, range, interpretation) => {
    const row = interpret(name, value, range);
    expect(row).toMatchObject({ value, interpretation, is_above_max_range: null, is_below_min_range: null });
    expect([row.min_reference_range, row.max_reference_range]).toEqual([null, null]);
    expect([null, "titer"]).toContain(row.units);
    expect(row.doubts).not.toContain("not_comparable");
  });

  test.each([
    ["1:80", "<40"],
    ["80", "<1:40"],
    ["1:80", "Negative"],
    ["1:80", "Negative <1:40"],
    ["<1:80", "<1:40"],
  ])("of %s is doubtful without an interpretation in %s", (value, range) => {
    const row = interpret("ANA Titer", value, range);
    expect([row.interpretation, row.max_reference_range]).toEqual([null, range === "<40" ? 40 : null]);
    expect(row.doubts).toContain("not_comparable");
  });

  test("is compared with the range below it", () => {
    const { data, doubts } = parseTexts(`${HEADING}ANA Titer             1:80\n  Reference range: <1:40\n`);
    expect(data.results).toMatchObject([{ value: "1:80", units: null, interpretation: "abnormal" }]);
    expect(doubts.filter(({ reason }) => reason !== "unsure_test")).toEqual([]);
  });
});
