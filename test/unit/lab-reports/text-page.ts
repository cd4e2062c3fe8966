import packed from "../../../data/lab-catalogue/catalogue.json" with { type: "json" };
import { buildReportCatalogue } from "../../../lib/domain/lab-reports/names/report-catalogue.ts";
import type { ReportPage } from "../../../lib/domain/lab-reports/page/report-page.ts";
import { type ParsedReport, parseReport } from "../../../lib/domain/lab-reports/parse-report.ts";
import type { ReportResult } from "../../../lib/domain/lab-reports/wire-parsing-job.ts";

const WIDTH = 5;
const HEIGHT = 9;
const PITCH = 12;

/** A page of monospaced text. */
export function textPage(text: string, origin: ReportPage["origin"] = "text", confidence = 100): ReportPage {
  const lines = text.split("\n");
  const words = lines.flatMap((line, row) =>
    [...line.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
      text: word,
      left: 36 + index * WIDTH,
      top: 36 + row * PITCH,
      width: word.length * WIDTH,
      height: HEIGHT,
      confidence,
    })),
  );
  return { width: 612, height: 792, origin, dpi: origin === "text" ? null : 300, words };
}

export const bundledReportCatalogue = buildReportCatalogue(packed);

/** The day on which tests submit their reports. */
export const SUBMITTED_ON = "2026-03-15";

/** Parses pages of text. */
export const parseTexts = (...texts: readonly string[]): ParsedReport =>
  parseReport(
    texts.map((text) => textPage(text)),
    bundledReportCatalogue,
    SUBMITTED_ON,
  );

/** Parses pages of text. Returns name, value, unit, range and interpretation of each row as one text. */
export function parseRows(...texts: readonly string[]): string[] {
  return parseTexts(...texts).data.results.map(shown);
}

const shown = (row: ReportResult): string =>
  [
    row.test_name,
    row.value,
    row.units ?? "-",
    `${row.min_reference_range ?? ""}..${row.max_reference_range ?? ""}`,
    row.interpretation ?? "-",
  ].join(" | ");
