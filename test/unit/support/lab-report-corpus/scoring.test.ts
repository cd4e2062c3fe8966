import { describe, expect, test } from "vitest";
import { ReportTally } from "../../../reports/bench/report-tally.ts";
import {
  isWrongButConfident,
  type ReadReport,
  type ReadRow,
  scoreReport,
} from "../../../reports/bench/score-report.ts";
import { createReportContent } from "../../../reports/content/report-content.ts";
import type { TruthRow } from "../../../reports/content/report-truth.ts";
import { allLayouts } from "../../../reports/layouts/all-layouts.ts";

const { truth } = createReportContent(allLayouts[0]!, 1);

const readOf = (row: TruthRow): ReadRow => ({
  ...row,
  loinc_matches: row.loinc === null ? [] : [{ loinc_code: row.loinc }],
  loinc_match_status: row.loinc === null ? "no_match" : "auto_match",
});

/** The ground truth as parser output, with changed rows. */
function reading(change: (rows: ReadRow[]) => ReadRow[], doubts: readonly number[] = []): ReadReport {
  const results = change(truth.results.map(readOf));
  return { data: { metadata: truth.metadata, results }, doubts: doubts.map((row) => ({ row })) };
}

function tallied(read: ReadReport | null): ReportTally {
  const tally = new ReportTally();
  tally.add(scoreReport(truth, read));
  return tally;
}

const changed = (place: number, change: Partial<ReadRow>) => (rows: ReadRow[]) =>
  rows.with(place, { ...rows[place]!, ...change });
const matched = truth.results.findIndex(({ loinc }) => loinc !== null);
const invented: ReadRow = { ...readOf(truth.results[matched]!), test_name: "Previous address", value: "12" };

describe("scoreReport", () => {
  test("finds no errors in the ground truth itself, regardless of case and spaces", () => {
    const spaced = (rows: ReadRow[]) => rows.map((row) => ({ ...row, test_name: ` ${row.test_name.toUpperCase()}  ` }));
    const { right, rows, loincRight, missing, invented: extra, wrongConfident } = tallied(reading(spaced));
    expect({ right, loincRight, missing, extra, wrongConfident }).toEqual({
      right: rows,
      loincRight: rows,
      missing: 0,
      extra: 0,
      wrongConfident: 0,
    });
  });

  test("counts all rows as missing for an unread report", () => {
    const { missing, rows, right } = tallied(null);
    expect([missing, right]).toEqual([rows, 0]);
  });

  test("pairs the other rows when one is missing and one is invented", () => {
    const tally = tallied(reading((rows) => [...rows.slice(1, 4), invented, ...rows.slice(4)]));
    expect([tally.missing, tally.invented, tally.right]).toEqual([1, 1, tally.rows - 1]);
  });

  test.each([
    ["value", { value: "999.9" }],
    ["units", { units: "MG/dl" }],
    ["min_reference_range", { min_reference_range: -1 }],
    ["max_reference_range", { max_reference_range: 12_345 }],
    ["interpretation", { interpretation: "unknown" }],
    ["test_name", { test_name: `${truth.results[matched]?.test_name} x` }],
  ] as const)("reports a wrong %s without a doubt as a confident mistake", (field, change) => {
    const { rows } = scoreReport(truth, reading(changed(matched, change)));
    expect(rows[matched]?.wrong).toEqual([field]);
    expect(rows.filter(isWrongButConfident)).toHaveLength(1);
  });

  test("does not count a wrong row with a doubt as a confident mistake", () => {
    const { rows } = scoreReport(truth, reading(changed(matched, { value: "999.9" }), [matched]));
    expect(rows.filter(isWrongButConfident)).toEqual([]);
  });

  test("counts a wrong code and an invented row as confident mistakes", () => {
    expect(tallied(reading(changed(matched, { loinc_matches: [{ loinc_code: "1-1" }] }))).wrongConfident).toBe(1);
    expect(tallied(reading((rows) => [...rows, invented])).wrongConfident).toBe(1);
  });

  test("counts a match for an analyte outside the catalogue as wrong, but not a candidate", () => {
    const outside = { ...truth, results: truth.results.map((row) => ({ ...row, loinc: null })) };
    const candidate = scoreReport(outside, reading(changed(matched, { loinc_match_status: "needs_review" })));
    expect(candidate.rows[matched]?.isLoincRight).toBe(true);
    expect(
      scoreReport(
        outside,
        reading((rows) => rows),
      ).rows[matched]?.isLoincRight,
    ).toBe(false);
  });
});
