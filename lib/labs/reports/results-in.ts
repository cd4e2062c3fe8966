import { looksEnglish } from "../../domain/lab-reports/looks-english.ts";
import { type ParsedReport, parseReport } from "../../domain/lab-reports/parse-report.ts";
import { reportCatalogue } from "../../domain/lab-reports/report-catalogue.ts";
import type { ReportPage } from "../../domain/lab-reports/report-page.ts";
import type { KnownNames } from "../../domain/lab-reports/report-reader.ts";
import { checkRows, checkSize } from "./check-size.ts";
import { UnreadableReport } from "./unreadable-report.ts";

/**
 * Extracts the results from the pages of a report; undefined without names to match.
 * @throws UnreadableReport for pages above the limits or not in English.
 */
export function resultsIn(pages: readonly ReportPage[], known: KnownNames | undefined): ParsedReport | undefined {
  checkSize(pages);
  if (!looksEnglish(pages)) throw new UnreadableReport("not_english", "The report is not in English.");
  if (!known) return undefined;
  const parsed = parseReport(pages, reportCatalogue(known, known.learned));
  checkRows(parsed.data.results);
  return parsed;
}
