import { describe, expect, test } from "vitest";
import { parseTexts } from "./text-page.ts";

const HEADING = "Test                  Result          Reference Range       Units\n";
/** The interpretation of a result in a range, and the doubts of its row. */
function interpret(name: string, value: string, range: string, units = "") {
  const line = `${name.padEnd(22)}${value.padEnd(16)}${range.padEnd(22)}${units}`;
  const { data, doubts } = parseTexts(`${HEADING}${line}\n`);
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
