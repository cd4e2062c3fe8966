import { hasDecimalCommas, swapped, withDecimalPoints } from "./decimal-commas.ts";
import { foldName } from "./fold-name.ts";
import type { Heading } from "./headings.ts";
import { type Line, linesOf } from "./page-lines.ts";
import { regionsOf } from "./page-regions.ts";
import { segmentsOf } from "./page-segments.ts";
import { plausibility } from "./plausibility.ts";
import { withoutRaisedMarks } from "./raised-marks.ts";
import { patientOf } from "./range-groups.ts";
import { readHeader } from "./read-header.ts";
import { readRecords } from "./read-records.ts";
import { rowsOf } from "./read-rows.ts";
import { type Stretch, stretchesOf } from "./read-table.ts";
import { repairRow } from "./repair-row.ts";
import { isKnownName, type ReportCatalogue } from "./report-catalogue.ts";
import type { ReportPage } from "./report-page.ts";
import { doubtsOf, type RowDoubt } from "./row-doubts.ts";
import type { PrintedRow, ReadingContext } from "./row-parts.ts";
import { tableIn } from "./table-columns.ts";
import { candidatesOf, toResult } from "./to-result.ts";
import type { ReportMetadata, ReportResult } from "./wire-parsing-job.ts";

/** The content of a report. */
export interface ParsedReport {
  readonly data: { readonly metadata: ReportMetadata; readonly results: ReportResult[] };
  /** The reasons for which a person must review rows. */
  readonly doubts: readonly RowDoubt[];
  /** Whether a person must review the report before it counts. */
  readonly isDoubtful: boolean;
}

/** Extracts the results from the pages of a report and matches them to LOINC codes. */
export function parseReport(printed: readonly ReportPage[], catalogue: ReportCatalogue): ParsedReport {
  const isRead = printed.some(({ origin }) => origin === "image");
  const hasCommas = hasDecimalCommas(printed);
  const pages = printed.map((page) => withReadableWords(page, hasCommas));
  const lines = pages.map(({ words }) => linesOf(words));
  const metadata = readHeader(lines);
  const rows = printedRows(pages, lines, {
    isRecognised: isRead,
    patient: patientOf(metadata),
    day: metadata.date_collected ?? metadata.date_reported,
    isKnown: (name) => isKnownName(catalogue, name),
  });
  const units = rows.map((row) => row.units);
  const read = rows.map((own, place) => {
    const row = isRead ? repairRow(own, candidatesOf(own, catalogue)[0], catalogue, units) : own;
    const candidates = candidatesOf(row, catalogue);
    const reasons = doubtsOf(row, candidates[0], isRead);
    return {
      result: asPrinted(toResult(row, candidates), hasCommas),
      doubts: reasons.map((reason) => ({ row: place, reason })),
    };
  });
  const results = read.map(({ result }) => result);
  const doubts = [...read.flatMap((one) => one.doubts), ...duplicatesIn(results)];
  const isUnsure = results.some(({ loinc_match_status }) => loinc_match_status === "needs_review");
  return {
    data: { metadata, results },
    doubts,
    isDoubtful: results.length === 0 || doubts.length > 0 || isUnsure,
  };
}

/** Normalizes the words of a page: removes superscripts and uses decimal points. */
function withReadableWords(page: ReportPage, hasCommas: boolean): ReportPage {
  const words = withoutRaisedMarks(page.words);
  return { ...page, words: hasCommas ? withDecimalPoints(words) : words };
}

const asPrinted = (result: ReportResult, hasCommas: boolean): ReportResult =>
  hasCommas ? { ...result, test_name: swapped(result.test_name), value: swapped(result.value) } : result;

/** Reads the rows of all pages. Column headings and panels carry over to the next page. */
function printedRows(pages: readonly ReportPage[], lines: readonly Line[][], context: ReadingContext): PrintedRow[] {
  const rows: PrintedRow[] = [];
  let headings: readonly Heading[] | null = null;
  for (const [place, page] of pages.entries()) {
    const own = { ...context, isRecognised: page.origin === "image" };
    for (const segment of segmentsOf(lines[place] ?? [], own)) {
      if ("rows" in segment) rows.push(...segment.rows);
      else
        for (const region of regionsOf(segment.lines, own.isKnown)) headings = readRegion(region, headings, rows, own);
    }
  }
  return rows;
}

/** Reads the rows of a region and adds them. @returns the column headings that hold after it. */
function readRegion(
  lines: readonly Line[],
  before: readonly Heading[] | null,
  rows: PrintedRow[],
  context: ReadingContext,
): readonly Heading[] | null {
  const panel = rows.at(-1)?.panel ?? null;
  const told = readStretches(stretchesOf(lines, before), panel, context);
  const table = tableIn(lines, context);
  const others = [
    ...(table ? [readStretches([table], panel, context)] : []),
    { rows: readRecords(lines, panel, context), headings: null },
  ];
  const sense = (read: Read) => plausibility(read.rows, context) * (read === told ? MARGIN : 1);
  const best = others.reduce<Read>((most, next) => (sense(next) > sense(most) ? next : most), told);
  rows.push(...best.rows);
  return best.headings ?? before;
}
/** Factor by which another reading of a region must exceed the reading by header rows. */
const MARGIN = 1.02;

interface Read {
  readonly rows: readonly PrintedRow[];
  readonly headings: readonly Heading[] | null;
}

function readStretches(stretches: readonly Stretch[], before: string | null, context: ReadingContext): Read {
  const rows: PrintedRow[] = [];
  let headings: readonly Heading[] | null = null;
  for (const stretch of stretches) {
    headings = stretch.headings ?? headings;
    rows.push(...rowsOf(stretch, rows.at(-1)?.panel ?? before, context));
  }
  return { rows, headings };
}

/** Finds repeated tests in one panel. Rows with the same values too are printed twice. */
function duplicatesIn(results: readonly ReportResult[]): RowDoubt[] {
  const seen = new Set<string>();
  return results.flatMap(({ test_name, source_panel_name, units }, row) => {
    const key = JSON.stringify([foldName(test_name), source_panel_name, units]);
    const isSeen = seen.has(key);
    seen.add(key);
    return isSeen ? [{ row, reason: "duplicate" as const }] : [];
  });
}
