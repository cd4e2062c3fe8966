import { readFileSync, writeFileSync } from "node:fs";
import type { Session } from "../../../lib/cli/frame/session.ts";
import { contactSheet } from "../files/contact-sheet.ts";
import { createReportDocument, type DocumentKind } from "../files/report-document.ts";
import { writeDocument } from "../files/write-document.ts";
import { allLayouts } from "../layouts/all-layouts.ts";
import { heldOutLayouts } from "../layouts/held-out/held-out-layouts.ts";
import { failureLines } from "./failure-lines.ts";
import { formatTallies } from "./report-tally.ts";
import { type ReadDocument, runReportBench } from "./run-report-bench.ts";
import { selectCorpus } from "./select-corpus.ts";

/** Which reports to draw. */
export interface ReportCorpus {
  readonly kinds: readonly DocumentKind[];
  readonly layouts: readonly string[];
  readonly seed: number;
  readonly limit: number;
  readonly keptAside: boolean;
}

/** A day after all dates of the corpus. */
const SUBMITTED_ON = "2026-01-31";

const selectReports = ({ keptAside, layouts, seed, limit }: ReportCorpus) =>
  selectCorpus({ isHeldOut: keptAside, names: layouts, seed, limit });

/** Loads the service's reader and row parser, only when reports are read. */
async function loadReader(): Promise<ReadDocument> {
  const { readPages } = await import("../../../lib/labs/reports/reader/read-pages.ts");
  const { parseReport } = await import("../../../lib/domain/lab-reports/parse-report.ts");
  const { buildReportCatalogue } = await import("../../../lib/domain/lab-reports/names/report-catalogue.ts");
  const catalogue = buildReportCatalogue(JSON.parse(readFileSync("data/lab-catalogue/catalogue.json", "utf8")));
  return async (files) => parseReport(await readPages(files), catalogue, SUBMITTED_ON);
}

/** Reads synthetic reports and prints the share of correct values. @param showsFailures prints wrong rows too. */
export async function benchReports(corpus: ReportCorpus, showsFailures: boolean, session: Session) {
  const tallies = await runReportBench(selectReports(corpus), corpus.kinds, await loadReader(), {
    onScored: (made, rows, failure) => {
      if (showsFailures) for (const line of failureLines(made, rows, failure)) session.print(line);
    },
  });
  session.print(`\n${formatTallies(tallies)}`);
  return tallies;
}

/** Writes the reports and their truth to a folder. */
export async function writeReports(corpus: ReportCorpus, folder: string): Promise<void> {
  for (const kind of corpus.kinds)
    for (const { layout, seed } of selectReports(corpus))
      writeDocument(await createReportDocument(layout, seed, kind), folder);
}

/** Writes one picture of a dozen reports. */
export async function writeContactSheet(file: string, keptAside: boolean): Promise<void> {
  writeFileSync(file, await contactSheet(keptAside ? heldOutLayouts : allLayouts));
}
