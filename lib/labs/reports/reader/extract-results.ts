import { buildReportCatalogue } from "../../../domain/lab-reports/names/report-catalogue.ts";
import { looksEnglish } from "../../../domain/lab-reports/page/looks-english.ts";
import type { ReportPage } from "../../../domain/lab-reports/page/report-page.ts";
import { type ParsedReport, parseReport } from "../../../domain/lab-reports/parse-report.ts";
import type { ReadingBasis } from "../../../domain/lab-reports/report-reader.ts";
import { checkPageLimits, checkRowLimit } from "../check-limits.ts";
import { UnreadableReport } from "../unreadable-report.ts";

/**
 * Extracts the results from the pages of a report; undefined without a basis.
 * @throws UnreadableReport for pages above the limits or not in English.
 */
export function extractResults(
  pages: readonly ReportPage[],
  basis: ReadingBasis | undefined,
): ParsedReport | undefined {
  checkPageLimits(pages);
  if (!looksEnglish(pages)) throw new UnreadableReport("not_english", "The report is not in English.");
  if (!basis) return undefined;
  const parsed = parseReport(pages, buildReportCatalogue(basis, basis.learned), basis.submittedOn);
  checkRowLimit(parsed.data.results);
  return parsed;
}
