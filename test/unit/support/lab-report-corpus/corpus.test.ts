import { readFileSync } from "node:fs";
import { extractText } from "unpdf";
import { describe, expect, test } from "vitest";
import { selectCorpus } from "../../../reports/bench/select-corpus.ts";
import { createReportContent } from "../../../reports/content/report-content.ts";
import { renderTextPdf } from "../../../reports/files/pdf.ts";
import { allLayouts } from "../../../reports/layouts/all-layouts.ts";
import { heldOutLayouts } from "../../../reports/layouts/held-out/held-out-layouts.ts";
import { findOverlaps } from "../../../reports/pages/find-overlaps.ts";
import { typesetReport } from "../../../reports/pages/typeset-report.ts";

const catalogue = JSON.parse(readFileSync("data/lab-catalogue/catalogue.json", "utf8"));
const codes = new Set(catalogue.results.map(({ loinc }: { loinc: string }) => loinc));
const every = [...allLayouts, ...heldOutLayouts];
const contents = every.map((layout) => createReportContent(layout, 1));
const whole = selectCorpus({ isHeldOut: false, names: [], seed: 1, limit: 1000 });
const rows = whole.flatMap(({ layout, seed }) => createReportContent(layout, seed).truth.results);

/** Maximum difference between the actual and the intended share of rows. */
const TOLERANCE = 0.05;

describe("the corpus of lab reports", () => {
  test("has at least 70 layouts and 2,000 rows", () => {
    expect(allLayouts.length).toBeGreaterThanOrEqual(70);
    expect(rows.length).toBeGreaterThanOrEqual(2000);
  });

  test("has ten held-out layouts that are separate from the others", () => {
    expect(heldOutLayouts.length).toBeGreaterThanOrEqual(10);
    expect(new Set(every.map(({ name }) => name)).size).toBe(every.length);
    expect(new Set(every.map(({ lab }) => lab)).size).toBe(every.length);
    expect(whole.filter(({ layout }) => heldOutLayouts.includes(layout))).toEqual([]);
    const aside = selectCorpus({ isHeldOut: true, names: [], seed: 1, limit: 1000 });
    expect(aside.filter(({ layout }) => !heldOutLayouts.includes(layout))).toEqual([]);
  });

  test("is the same for the same seed and differs for another", { tags: "deep" }, () => {
    const truth = (seed: number) => JSON.stringify(every.map((layout) => createReportContent(layout, seed).truth));
    expect(truth(7)).toBe(truth(7));
    expect(truth(7)).not.toBe(truth(8));
  });

  test("uses only codes of the catalogue, and some analytes outside it", () => {
    expect(rows.flatMap(({ loinc }) => (loinc === null || codes.has(loinc) ? [] : [loinc]))).toEqual([]);
    const outside = rows.filter(({ loinc }) => loinc === null).length / rows.length;
    expect(Math.abs(outside - 0.1)).toBeLessThan(TOLERANCE);
  });

  test("has results in and out of range", () => {
    const abnormal = rows.filter(
      ({ interpretation }) => interpretation === "abnormal" || interpretation === "critical",
    );
    expect(Math.abs(abnormal.length / rows.length - 0.15)).toBeLessThan(TOLERANCE);
  });

  test("rejects an unknown layout", () => {
    for (const name of ["no-such-form", heldOutLayouts[0]?.name ?? ""])
      expect(() => selectCorpus({ isHeldOut: false, names: [name], seed: 1, limit: 1 })).toThrow("no such layout");
  });
});

describe.each(contents.map((content) => [content.layout.name, content] as const))("layout %s", (_, content) => {
  const pages = typesetReport(content);

  test("prints the whole ground truth in its PDF", { tags: "deep" }, async () => {
    const file = await renderTextPdf(pages, content.layout);
    const { text } = await extractText(file, { mergePages: true });
    const found = text.replaceAll(/\s+/g, " ");
    const names = content.truth.results.flatMap(({ test_name }) => test_name.split(" "));
    const values = content.truth.results.flatMap(({ value, units }) => [
      value,
      ...(units === null ? [] : units.split(" ")),
    ]);
    expect(
      [...values, ...names, content.truth.metadata.specimen_number].filter((printed) => !found.includes(printed)),
    ).toEqual([]);
  });

  test("prints no overlapping text and nothing beyond the paper", () => {
    expect(pages.flatMap(findOverlaps)).toEqual([]);
  });
});
