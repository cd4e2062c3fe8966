import { expect, test } from "vitest";
import { looksEnglish } from "../../../lib/domain/lab-reports/page/looks-english.ts";
import {
  centuryOfBirth,
  isDayFirst,
  nearestCentury,
  readDate,
} from "../../../lib/domain/lab-reports/page/report-dates.ts";
import { flagMeaning, splitFlag } from "../../../lib/domain/lab-reports/row/read-flag.ts";
import { readRange } from "../../../lib/domain/lab-reports/row/read-range.ts";
import { readValue } from "../../../lib/domain/lab-reports/row/read-value.ts";
import { dimensionOf, magnitudeOf } from "../../../lib/domain/lab-reports/row/report-units.ts";
import { textPage } from "./text-page.ts";

test.each([
  ["70-99", 70, 99, null],
  ["(3.5 to 5.1)", 3.5, 5.1, null],
  ["[0.00 – 0.49]", 0, 0.49, null],
  ["<5.0 mg/L", null, 5, "mg/L"],
  ["> OR = 60", 60, null, null],
  ["< OR = 35 U/mL", null, 35, "U/mL"],
  ["≤200", null, 200, null],
  ["Up to 1,200", null, 1200, null],
  ["200 or less", null, 200, null],
  ["Normal range: 9.1-12.0 s", 9.1, 12, "s"],
  ["9-23 (calc)", 9, 23, "(calc)"],
  ["Not Estab.", null, null, null],
  ["N/A", null, null, null],
])("the range %s is read", (printed, min, max, units) => {
  expect(readRange(printed)).toMatchObject({ min, max, units, expected: null });
});

test("a range in words gives the expected value", () => {
  expect(readRange("Non-Reactive")).toMatchObject({ min: null, max: null, expected: "Non-Reactive" });
});

test.each([
  ["98", "98", null, null],
  ["<0.1", "<0.1", null, null],
  ["< 0.1", "<0.1", null, null],
  ["1,250", "1,250", null, null],
  ["5.4H", "5.4", "H", null],
  ["5.4 (L)", "5.4", "(L)", null],
  ["High 1.039", "1.039", "High", null],
  ["112 H mg/dL", "112", "H", "mg/dL"],
  ["0-5 /HPF", "0-5", null, "/HPF"],
  ["1:80", "1:80", null, null],
  ["3+", "3+", null, null],
  ["Positive A", "Positive", "A", null],
  ["A POS", "A POS", null, null],
  ["O", "O", null, null],
])("the value %s is read", (printed, value, flag, units) => {
  expect(readValue(printed)).toMatchObject({ value, flag, units });
});

test("dates and times are not values", () => {
  for (const printed of ["03/02/2025", "2025-03-02", "08:15"]) expect(readValue(printed)).toBeNull();
});

test.each([
  ["H", "abnormal"],
  ["(L)", "abnormal"],
  ["*", "abnormal"],
  ["HH", "critical"],
  ["Critical High", "critical"],
  ["Panic", "critical"],
  ["Normal", "normal"],
  ["mg/dL", undefined],
  ["Final", undefined],
])("the flag %s means %s", (printed, meaning) => {
  expect(flagMeaning(printed)).toBe(meaning);
});

test("a value of one letter is not a flag", () => {
  expect(splitFlag("A")).toEqual({ text: "A", flag: null });
});

test.each([
  [["mg/dL", "MG/DL", "g/L", "mcg/mL", "µg/dL"], "mass"],
  [["mmol/L", "mEq/L", "nmol/L"], "substance"],
  [["U/L", "IU/mL", "m[IU]/L", "µIU/mL", "k[IU]/L"], "activity"],
  [["x10E3/uL", "10*3/uL", "K/uL", "10^9/L", "Thousand/uL", "x10(3)/uL", "G/L", "cells/uL"], "count"],
  [["%", "% (calc)", "% of total Hgb"], "fraction"],
  [["mL/min/1.73m2", "mL/min/{1.73_m2}", "mL/min/1.73"], "filtration"],
  [["/HPF", "/[HPF]"], "field"],
])("%s share one dimension", (units, dimension) => {
  for (const unit of units) expect([unit, dimensionOf(unit)]).toEqual([unit, dimension]);
});

test("texts other than units have no dimension", () => {
  for (const text of ["Negative", "65-99", "", "High", "constructor"]) expect(dimensionOf(text)).toBeNull();
});

test("units of one dimension differ by powers of ten", () => {
  expect(magnitudeOf("mg/dL") - magnitudeOf("ng/mL")).toBe(4);
});

test.each([
  ["03/02/2025 08:15", "2025-03-02"],
  ["2025-03-02", "2025-03-02"],
  ["27-Jun-1985", "1985-06-27"],
  ["Dec 23, 1992", "1992-12-23"],
  ["23/12/1992", "1992-12-23"],
  ["13/45/1992", null],
  ["31/02/2026", null],
  ["02/30/1984", null],
  ["2026-02-31", null],
  ["Feb 29, 2025", null],
  ["Feb 29, 2024", "2024-02-29"],
  ["4/9/81", "1981-04-09"],
])("the date %s is read", (printed, date) => {
  expect(readDate(printed)).toBe(date);
});

test("days come first when another date of the report is only valid that way", () => {
  expect(isDayFirst("Collected 23/04/2025")).toBe(true);
  expect(isDayFirst("Collected 04/23/2025, range 26.6-33.0")).toBe(false);
  expect(readDate("04/05/2025", { isSwapped: true })).toBe("2025-05-04");
});

test("two digits of a year are completed to the nearest year, and for births to the latest that is not in the future", () => {
  const near = (printed: string, today: string) => readDate(printed, { century: nearestCentury(today) });
  expect(near("03/02/27", "2027-03-04")).toBe("2027-03-02");
  expect(near("12/31/99", "2100-01-02")).toBe("2099-12-31");
  expect(near("01/02/00", "2099-12-31")).toBe("2100-01-02");
  expect(near("06/01/98", "2026-03-15")).toBe("1998-06-01");
  const born = (printed: string, today: string) => readDate(printed, { century: centuryOfBirth(today) });
  expect(born("03/15/26", "2026-03-15")).toBe("2026-03-15");
  expect(born("03/16/26", "2026-03-15")).toBe("1926-03-16");
  expect(born("4/9/81", "2026-03-15")).toBe("1981-04-09");
  expect(born("4/9/27", "2027-03-15")).toBe("1927-04-09");
});

test("English reports are distinguished from others, and few words are not judged", () => {
  const english =
    "Patient name Test Result Units Reference range Glucose high the laboratory reported by date of birth";
  const german =
    "Befund Einsender Untersuchung Ergebnis Einheit Referenzbereich Glukose Kreatinin Harnstoff Natrium Kalium Leukozyten Erythrozyten Kommentar Material";
  expect(looksEnglish([textPage(`${english} ${english}`)])).toBe(true);
  expect(looksEnglish([textPage(`${german} `.repeat(5))])).toBe(false);
  expect(looksEnglish([textPage("Befund")])).toBe(true);
});
