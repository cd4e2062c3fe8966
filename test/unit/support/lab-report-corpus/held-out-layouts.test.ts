import { describe, expect, test } from "vitest";
import { createReportContent } from "../../../reports/content/report-content.ts";
import type { TruthRow } from "../../../reports/content/report-truth.ts";
import { heldOutLayouts } from "../../../reports/layouts/held-out/held-out-layouts.ts";
import { typesetReport } from "../../../reports/pages/typeset-report.ts";

const SEEDS = Array.from({ length: 12 }, (_, seed) => seed + 1);

/** Reports of a held-out layout. */
function reportsOf(name: string) {
  const layout = heldOutLayouts.find((one) => one.name === name);
  if (layout === undefined) throw new Error(`no layout ${name}`);
  return SEEDS.map((seed) => createReportContent(layout, seed));
}

const rowsOf = (name: string) => reportsOf(name).flatMap(({ sections }) => sections.flatMap(({ rows }) => rows));
const numbersIn = (text: string) => (text.match(/\d+(\.\d+)?/g) ?? []).map(Number);
const boundsOf = ({ min_reference_range: min, max_reference_range: max }: TruthRow) =>
  [min, max].filter((bound) => bound !== null);

describe("held-out layouts match the ground truth", () => {
  test("one grade of a list equals the true range, and the others lie around it", () => {
    const usual = /^(Normal|Non-diabetic|Desirable|Optimal|Sufficient|Low to average risk): /;
    const listed = rowsOf("graded-ranges").filter(({ cells }) => cells.range?.includes("\n"));
    expect(listed.length).toBeGreaterThan(0);
    for (const { cells, truth } of listed) {
      const lines = cells.range?.split("\n") ?? [];
      const meant = lines.filter((line) => usual.test(line));
      expect(meant.flatMap(numbersIn)).toEqual(boundsOf(truth));
      const all = lines.flatMap(numbersIn);
      expect(all).toEqual(all.toSorted((left, right) => left - right));
    }
  });

  test("the last age group contains every patient, and its range equals the true range", () => {
    const listed = rowsOf("bilingual-ages").filter(({ cells }) => cells.range?.includes("\n"));
    expect(listed.length).toBeGreaterThan(0);
    for (const { cells, truth } of listed) {
      const last = cells.range?.split("18+ y/ans: ")[1] ?? "";
      expect(numbersIn(last)).toEqual(boundsOf(truth));
    }
    for (const { truth } of reportsOf("bilingual-ages")) {
      const { dob, date_collected: collected } = truth.metadata;
      expect(`${Number(collected.slice(0, 4)) - 18}${collected.slice(4)}` >= dob).toBe(true);
    }
  });

  test("a range in words contains the true bounds", () => {
    const rows = rowsOf("tiles");
    expect(rows.length).toBeGreaterThan(0);
    for (const { cells, truth } of rows) expect(numbersIn(cells.range ?? "")).toEqual(boundsOf(truth));
  });

  test("the star of a gauge marks the position of the result", () => {
    const places = { LOW: 0, NORMAL: 1, HIGH: 2 };
    for (const content of reportsOf("typed-gauges")) {
      const drawn = typesetReport(content).flatMap(({ runs }) => runs.filter(({ text }) => /^\[.*\*.*\]$/.test(text)));
      const rows = content.sections.flatMap(({ rows }) => rows);
      expect(drawn.length).toBe(rows.length);
      const meant = rows.map(({ measured: { outcome } }) => {
        if (outcome.endsWith("low")) return places.LOW;
        return outcome.endsWith("high") ? places.HIGH : places.NORMAL;
      });
      expect(drawn.map(({ text }) => text.split("|").findIndex((segment) => segment.includes("*")))).toEqual(meant);
    }
  });
});
