import { foldName } from "./names/fold-name.ts";
import { isKnownName, type ReportCatalogue } from "./names/report-catalogue.ts";
import { hasDecimalCommas, replaceDecimalCommas, swapSeparators } from "./page/decimal-commas.ts";
import { type Line, toLines } from "./page/page-lines.ts";
import { readHeader } from "./page/read-header.ts";
import { readKeyValueRecords } from "./page/read-key-value-records.ts";
import { removeSuperscripts } from "./page/remove-superscripts.ts";
import type { ReportPage } from "./page/report-page.ts";
import { segmentPage } from "./page/segment-page.ts";
import { splitRegions } from "./page/split-regions.ts";
import { plausibility } from "./row/plausibility.ts";
import { patientFromMetadata } from "./row/population-ranges.ts";
import { repairRow } from "./row/repair-row.ts";
import { findRowDoubts, type RowDoubt } from "./row/row-doubts.ts";
import type { PrintedRow, ReadingContext } from "./row/row-parts.ts";
import { findRowCandidates, toResult } from "./row/to-result.ts";
import type { ColumnHeading } from "./table/column-heading.ts";
import { detectTable } from "./table/detect-table.ts";
import { readRows } from "./table/read-rows.ts";
import { splitTableSections, type TableSection } from "./table/table-section.ts";
import type { ReportMetadata, ReportResult } from "./wire-parsing-job.ts";

/** The content of a report. */
export interface ParsedReport {
  readonly data: { readonly metadata: ReportMetadata; readonly results: ReportResult[] };
  /** The reasons for which a person must review rows. */
  readonly doubts: readonly RowDoubt[];
  /** Whether a person must review the report before it counts. */
  readonly isDoubtful: boolean;
}

/**
 * Extracts the results from the pages of a report and matches them to LOINC codes.
 * @param today day of the submission, `YYYY-MM-DD`.
 */
export function parseReport(printed: readonly ReportPage[], catalogue: ReportCatalogue, today: string): ParsedReport {
  const isRead = printed.some(({ origin }) => origin === "image");
  const hasCommas = hasDecimalCommas(printed);
  const pages = printed.map((page) => normalizeWords(page, hasCommas));
  const lines = pages.map(({ words }) => toLines(words));
  const metadata = readHeader(lines, today);
  const rows = readPages(pages, lines, {
    isRecognised: isRead,
    patient: patientFromMetadata(metadata),
    day: metadata.date_collected ?? metadata.date_reported,
    isKnown: (name) => isKnownName(catalogue, name),
  });
  const units = rows.map((row) => row.units);
  const read = rows.map((own, place) => {
    const row = isRead ? repairRow(own, findRowCandidates(own, catalogue)[0], catalogue, units) : own;
    const candidates = findRowCandidates(row, catalogue);
    const reasons = findRowDoubts(row, candidates[0], isRead);
    return {
      result: restoreSeparators(toResult(row, candidates), hasCommas),
      doubts: reasons.map((reason) => ({ row: place, reason })),
    };
  });
  const results = read.map(({ result }) => result);
  const doubts = [...read.flatMap((one) => one.doubts), ...findDuplicates(results)];
  const isUnsure = results.some(({ loinc_match_status }) => loinc_match_status === "needs_review");
  return {
    data: { metadata, results },
    doubts,
    isDoubtful: results.length === 0 || doubts.length > 0 || isUnsure,
  };
}

/** Normalizes the words of a page: removes superscripts and uses decimal points. */
function normalizeWords(page: ReportPage, hasCommas: boolean): ReportPage {
  const words = removeSuperscripts(page.words);
  return { ...page, words: hasCommas ? replaceDecimalCommas(words) : words };
}

const restoreSeparators = (result: ReportResult, hasCommas: boolean): ReportResult =>
  hasCommas ? { ...result, test_name: swapSeparators(result.test_name), value: swapSeparators(result.value) } : result;

/** Reads the rows of all pages. Column headings and panels carry over to the next page. */
function readPages(pages: readonly ReportPage[], lines: readonly Line[][], context: ReadingContext): PrintedRow[] {
  const rows: PrintedRow[] = [];
  let headings: readonly ColumnHeading[] | null = null;
  for (const [place, page] of pages.entries()) {
    const own = { ...context, isRecognised: page.origin === "image" };
    for (const segment of segmentPage(lines[place] ?? [], own)) {
      if ("rows" in segment) rows.push(...segment.rows);
      else
        for (const region of splitRegions(segment.lines, own.isKnown))
          headings = readRegion(region, headings, rows, own);
    }
  }
  return rows;
}

/** Reads the rows of a region and adds them. @returns the column headings that hold after it. */
function readRegion(
  lines: readonly Line[],
  before: readonly ColumnHeading[] | null,
  rows: PrintedRow[],
  context: ReadingContext,
): readonly ColumnHeading[] | null {
  const panel = rows.at(-1)?.panel ?? null;
  const byHeaders = readSections(splitTableSections(lines, before), panel, context);
  const table = detectTable(lines, context);
  const others = [
    ...(table ? [readSections([table], panel, context)] : []),
    { rows: readKeyValueRecords(lines, panel, context), headings: null },
  ];
  const sense = (read: RegionReading) => plausibility(read.rows, context) * (read === byHeaders ? HEADER_ADVANTAGE : 1);
  const best = others.reduce<RegionReading>((most, next) => (sense(next) > sense(most) ? next : most), byHeaders);
  rows.push(...best.rows);
  return best.headings ?? before;
}
/** Factor by which another reading of a region must exceed the reading by header rows. */
const HEADER_ADVANTAGE = 1.02;

interface RegionReading {
  readonly rows: readonly PrintedRow[];
  readonly headings: readonly ColumnHeading[] | null;
}

function readSections(
  stretches: readonly TableSection[],
  before: string | null,
  context: ReadingContext,
): RegionReading {
  const rows: PrintedRow[] = [];
  let headings: readonly ColumnHeading[] | null = null;
  for (const stretch of stretches) {
    headings = stretch.headings ?? headings;
    rows.push(...readRows(stretch, rows.at(-1)?.panel ?? before, context));
  }
  return { rows, headings };
}

/** Finds repeated tests in one panel. Rows with the same values too are printed twice. */
function findDuplicates(results: readonly ReportResult[]): RowDoubt[] {
  const seen = new Set<string>();
  return results.flatMap(({ test_name, source_panel_name, units }, row) => {
    const key = JSON.stringify([foldName(test_name), source_panel_name, units]);
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen ? [{ row, reason: "duplicate" as const }] : [];
  });
}
