import { describe, expect, test } from "vitest";
import { createReportContent } from "../../../reports/content/report-content.ts";
import { unusualLayouts } from "../../../reports/layouts/unusual.ts";

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed + 1);

/** Rows of an unusual layout, with the sex of their patient. */
function rowsOf(name: string) {
  const layout = unusualLayouts.find((one) => one.name === name);
  if (layout === undefined) throw new Error(`no layout ${name}`);
  return SEEDS.flatMap((seed) => {
    const { sections, patient } = createReportContent(layout, seed);
    return sections.flatMap(({ rows }) => rows.map((row) => ({ ...row, gender: patient.metadata.gender })));
  });
}

const numbersIn = (text: string) => text.split(" - ").map(Number);

describe("reworded rows", () => {
  test.each([
    ["male", "Male: "],
    ["female", "Female: "],
  ])("use the range on the matching line of the list for a %s patient", (gender, label) => {
    const listed = rowsOf("range-below").filter((row) => row.gender === gender && row.cells.range?.includes(label));
    expect(listed.length).toBeGreaterThan(0);
    for (const { cells, truth } of listed) {
      const line = cells.range?.split("\n").find((text) => text.startsWith(label)) ?? "";
      expect(numbersIn(line.replace(label, ""))).toEqual([truth.min_reference_range, truth.max_reference_range]);
    }
  });

  test("use the range on the line for adults for an adult", () => {
    const adults = "18 years and over: ";
    const listed = rowsOf("range-below").filter(({ cells }) => cells.range?.includes(adults));
    expect(listed.length).toBeGreaterThan(0);
    for (const { cells, truth } of listed)
      expect(numbersIn(cells.range?.split(adults)[1] ?? "")).toEqual([
        truth.min_reference_range,
        truth.max_reference_range,
      ]);
  });

  test("keep decimal commas in printed numbers, never in the true bounds", () => {
    const found = rowsOf("unit-under").filter(({ truth }) => truth.value.includes(","));
    expect(found.length).toBeGreaterThan(0);
    for (const { cells, truth } of found) {
      expect(cells.value).toBe(truth.value);
      expect(cells.range).not.toContain(".");
      expect(Number(truth.value.replace(",", ".").replace(/[<>]/, ""))).not.toBeNaN();
    }
  });

  test("print a word as the value of a test not performed, and nothing else", () => {
    const words = new Set(["TNP", "QNS", "See note"]);
    const found = rowsOf("raised-codes").filter(({ truth }) => words.has(truth.value));
    expect(found.length).toBeGreaterThan(0);
    for (const { cells, truth } of found) {
      expect([cells.units, cells.range, cells.flag, cells.previous]).toEqual(["", "", "", ""]);
      const { units, min_reference_range, max_reference_range, interpretation } = truth;
      expect([units, min_reference_range, max_reference_range, interpretation]).toEqual([null, null, null, null]);
    }
  });

  test("have no interpretation when the range is not established", () => {
    const found = rowsOf("raised-codes").filter(
      ({ cells, measured }) => cells.range === "Not Estab." && measured.number !== null,
    );
    expect(found.length).toBeGreaterThan(0);
    for (const { truth } of found)
      expect([truth.min_reference_range, truth.max_reference_range, truth.interpretation]).toEqual([null, null, null]);
  });

  test("have neither a range nor a code for a titer", () => {
    const found = rowsOf("range-below").filter(({ truth }) => truth.test_name === "ANA Titer");
    expect(found.length).toBeGreaterThan(0);
    for (const { truth } of found)
      expect([truth.min_reference_range, truth.max_reference_range, truth.loinc]).toEqual([null, null, null]);
  });
});
