import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Measure, type ObservationMeasure, profileOf } from "../../../lib/domain/fhir/measure.ts";
import { sampleRows } from "../../../lib/domain/fhir/sample-rows.ts";
import { summaryRows } from "../../../lib/domain/fhir/summary-rows.ts";

const PAGE = "docs/fhir.md";
const [BEGIN, END] = ["<!-- mapping: begin -->\n", "<!-- mapping: end -->\n"];

const cell = (text: string | undefined) => (text ? `\`${text}\`` : "");
const line = (source: string, one: Measure, category: string, profile: string | undefined) =>
  `| ${cell(source)} | ${cell(one.code)} | ${one.loinc.map(cell).join(" ")} | ${cell(one.ucum)} | ${category} | ${cell(profile)} |`;
const rowLines = (source: string, row: ObservationMeasure, parts: readonly Measure[]) => [
  line(source, row, row.category, profileOf(row)),
  ...parts.map((one) => line("", one, "component", undefined)),
];
const table = (heading: string, rows: readonly string[]) =>
  [`| ${heading} | Own code | LOINC | UCUM | Category | Profile |`, "|---|---|---|---|---|---|", ...rows].join("\n");

/** The tables of the page, from the rows of the mapping. */
const tables = [
  table(
    "Timeseries",
    sampleRows.flatMap((row) => rowLines(row.resource, row, Object.values(row.parts ?? {}))),
  ),
  table(
    "Summary",
    summaryRows.flatMap((row) => rowLines(row.field ? `${row.kind}.${row.field}` : row.kind, row, row.parts)),
  ),
].join("\n\n");

// To accept a change of the mapping: WRITE_DOCS=1 npm test -- test/unit/fhir/mapping-page.test.ts
test("docs/fhir.md has every row of the mapping", () => {
  const page = readFileSync(PAGE, "utf8");
  const [before = "", rest = ""] = page.split(BEGIN);
  const [written = "", after = ""] = rest.split(END);
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, `${before}${BEGIN}\n${tables}\n\n${END}${after}`);
  else expect(written.trim()).toBe(tables);
});
