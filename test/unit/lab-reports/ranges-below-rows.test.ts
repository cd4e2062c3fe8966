import { expect, test } from "vitest";
import { parseRows, parseTexts } from "./text-page.ts";

test.each([
  "  38 - 169",
  "  38 - 169 ug/dL",
  "  Reference range: 38 - 169 ug/dL",
  "  Ref. 38-169",
  "  Normal between 38 and 169",
  "                           (38-169)",
  "  ug/dL     38-169",
])("a range below its row is read: %s", (below) => {
  const rows = parseRows(`
Iron                       149    ug/dL
${below}

Ferritin                   274    ng/mL
  30 - 400
`);
  expect(rows).toEqual(["Iron | 149 | ug/dL | 38..169 | normal", "Ferritin | 274 | ng/mL | 30..400 | normal"]);
});

test.each([
  "Test                       Result",
  "Test                       Result     Units",
  "Test                       Result     Reference Range",
  "Test                       Result     Flag     Reference Range",
])("a range below its row is read under the headings %s", (headings) => {
  const rows = parseRows(`
${headings}
Iron                       149 ug/dL
Reference range: 38 - 169

Folate (Folic Acid), Serum   5.0 ng/mL
Reference range: >3.0

Thyroglobulin              14.8
ng/mL     1.5-38.5
`);
  expect(rows).toEqual([
    "Iron | 149 | ug/dL | 38..169 | normal",
    "Folate (Folic Acid), Serum | 5.0 | ng/mL | 3.. | normal",
    "Thyroglobulin | 14.8 | ng/mL | 1.5..38.5 | normal",
  ]);
});

test("a row without a range above range-like lines is doubtful", () => {
  const report = parseTexts(`
Test                       Result     Units
Iron                       149        ug/dL
Adults in health have 38 - 169 as a rule.
`);
  expect(report.data.results[0]).toMatchObject({ min_reference_range: null, interpretation: null });
  expect(report.doubts).toEqual([{ row: 0, reason: "incomplete" }]);
});

test.each([
  ["Normal", "72", "normal"],
  ["Low", "51", "abnormal"],
  ["Critical High", "470", "critical"],
  ["Borderline", "99", "abnormal"],
  ["Within range", "80", "normal"],
])("an interpretation between name and value, %s, is a flag", (word, value, meaning) => {
  const row = `${"Glucose".padEnd(21)}${word.padEnd(16)}${value}       mg/dL      65 - 99`;
  const expected = [`Glucose | ${value} | mg/dL | 65..99 | ${meaning}`];
  expect(parseRows(row)).toEqual(expected);
  expect(parseRows(`Test                                 Result   Units      Range\n${row}`)).toEqual(expected);
  expect(parseRows(`Test                 Status          Result   Units      Range\n${row}`)).toEqual(expected);
});

test.each(["Normal range: [38 to 169]", "(Ref: 38-169)", "Reference (38 - 169)", "Expected: {38 - 169}"])(
  "a labelled range beside a value below its name is read: %s",
  (range) => {
    const row = `Iron\n149 ug/dL            ${range}\n`;
    expect(parseRows(`\n${row}`)).toEqual(["Iron | 149 | ug/dL | 38..169 | normal"]);
  },
);

test.each(["about 38/to/169 or <170", "Adequate: 38-169; high: >169"])(
  "a number beside an unparsable range is doubtful and not interpreted: %s",
  (range) => {
    const report = parseTexts(`Iron          149       ug/dL       ${range}`);
    expect(report.data.results[0]).toMatchObject({ min_reference_range: null, interpretation: null });
    expect(report.doubts).toContainEqual({ row: 0, reason: "incomplete" });
  },
);

test("a bound equal to the value and the date of another result are not ranges", () => {
  const headings = "Test              Result     Units      Previous";
  expect(parseTexts(`${headings}\nFerritin          < 1        ng/mL      2 2025-03-02`).doubts).toEqual([]);
});

test("an interpretation that contradicts the range is doubtful", () => {
  const report = parseTexts("Glucose        Normal        172       mg/dL        65 - 99");
  expect(report.doubts).toEqual([{ row: 0, reason: "flag_disagrees" }]);
});
