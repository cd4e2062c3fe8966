import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { failureLines } from "../test/reports/bench/failure-lines.ts";
import { formatTallies } from "../test/reports/bench/report-tally.ts";
import { type ReadDocument, runReportBench } from "../test/reports/bench/run-report-bench.ts";
import { selectCorpus } from "../test/reports/bench/select-corpus.ts";
import { contactSheet } from "../test/reports/files/contact-sheet.ts";
import { createReportDocument, type DocumentKind, documentKinds } from "../test/reports/files/report-document.ts";
import { writeDocument } from "../test/reports/files/write-document.ts";
import { allLayouts } from "../test/reports/layouts/all-layouts.ts";
import { heldOutLayouts } from "../test/reports/layouts/held-out/held-out-layouts.ts";

const HELP = `Reads synthetic lab reports and counts the correct values.
  --kinds text,scan300,scan200,photo   kinds of documents (default: all)
  --layouts a,b                        only these layouts
  --seed N                             seed of the reports (default: 1)
  --limit N                            maximum number of reports per kind
  --kept-aside                         the held-out layouts (docs/lab-reports.md says what was tuned on them)
  --failures                           prints wrong rows next to the truth
  --write folder                       only writes the reports and their truth
  --sheet file.png                     only writes one picture of a dozen reports`;

const { values } = parseArgs({
  options: {
    kinds: { type: "string", default: documentKinds.join(",") },
    layouts: { type: "string", default: "" },
    seed: { type: "string", default: "1" },
    limit: { type: "string", default: "1000" },
    "kept-aside": { type: "boolean", default: false },
    failures: { type: "boolean", default: false },
    write: { type: "string" },
    sheet: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

function selectKinds(): DocumentKind[] {
  const named = values.kinds.split(",");
  const unknown = named.filter((name) => !documentKinds.some((kind) => kind === name));
  if (unknown.length > 0)
    throw new Error(`unknown kind: ${unknown.join(", ")}. The kinds are: ${documentKinds.join(", ")}`);
  return documentKinds.filter((kind) => named.includes(kind));
}

/** Loads the service's reader and row parser, only when reports are read. */
async function loadReader(): Promise<ReadDocument> {
  const { readPages } = await import("../lib/labs/reports/reader/read-pages.ts");
  const { parseReport } = await import("../lib/domain/lab-reports/parse-report.ts");
  const { buildReportCatalogue } = await import("../lib/domain/lab-reports/names/report-catalogue.ts");
  const catalogue = buildReportCatalogue(JSON.parse(readFileSync("data/lab-catalogue/catalogue.json", "utf8")));
  return async (files) => parseReport(await readPages(files), catalogue);
}

const selection = selectCorpus({
  isHeldOut: values["kept-aside"],
  names: values.layouts === "" ? [] : values.layouts.split(","),
  seed: Number(values.seed),
  limit: Number(values.limit),
});

async function bench(): Promise<void> {
  const tallies = await runReportBench(selection, selectKinds(), await loadReader(), {
    onScored: (made, rows, failure) => {
      if (values.failures) for (const line of failureLines(made, rows, failure)) console.log(line);
    },
  });
  console.log(`\n${formatTallies(tallies)}`);
}

async function write(folder: string): Promise<void> {
  for (const kind of selectKinds())
    for (const { layout, seed } of selection) writeDocument(await createReportDocument(layout, seed, kind), folder);
  console.log(`Written to ${folder}.`);
}

if (values.help) console.log(HELP);
else if (values.sheet !== undefined)
  writeFileSync(values.sheet, await contactSheet(values["kept-aside"] ? heldOutLayouts : allLayouts));
else if (values.write !== undefined) await write(values.write);
else {
  await bench();
  process.exit(0);
}
