import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { contactSheet } from "../test/reports/contact-sheet.ts";
import { corpus } from "../test/reports/corpus.ts";
import { type Kind, kinds, reportDocument } from "../test/reports/documents.ts";
import { layouts } from "../test/reports/layouts.ts";
import { keptAside } from "../test/reports/layouts-kept-aside/kept-aside.ts";
import { type ReadDocument, runBench } from "../test/reports/run-bench.ts";
import { failureLines } from "../test/reports/show-failures.ts";
import { tallyTable } from "../test/reports/tally.ts";
import { writeDocument } from "../test/reports/write-documents.ts";

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
    kinds: { type: "string", default: kinds.join(",") },
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

function chosenKinds(): Kind[] {
  const named = values.kinds.split(",");
  const unknown = named.filter((name) => !kinds.some((kind) => kind === name));
  if (unknown.length > 0) throw new Error(`unknown kind: ${unknown.join(", ")}. The kinds are: ${kinds.join(", ")}`);
  return kinds.filter((kind) => named.includes(kind));
}

/** Loads the service's reader and row parser, only when reports are read. */
async function reader(): Promise<ReadDocument> {
  const { readPages } = await import("../lib/labs/reports/read-pages.ts");
  const { parseReport } = await import("../lib/domain/lab-reports/parse-report.ts");
  const { reportCatalogue } = await import("../lib/domain/lab-reports/report-catalogue.ts");
  const catalogue = reportCatalogue(JSON.parse(readFileSync("data/lab-catalogue/catalogue.json", "utf8")));
  return async (files) => parseReport(await readPages(files), catalogue);
}

const wanted = corpus({
  isKeptAside: values["kept-aside"],
  names: values.layouts === "" ? [] : values.layouts.split(","),
  seed: Number(values.seed),
  limit: Number(values.limit),
});

async function bench(): Promise<void> {
  const tallies = await runBench(wanted, chosenKinds(), await reader(), {
    scored: (made, rows, failure) => {
      if (values.failures) for (const line of failureLines(made, rows, failure)) console.log(line);
    },
  });
  console.log(`\n${tallyTable(tallies)}`);
}

async function write(folder: string): Promise<void> {
  for (const kind of chosenKinds())
    for (const { layout, seed } of wanted) writeDocument(await reportDocument(layout, seed, kind), folder);
  console.log(`Written to ${folder}.`);
}

if (values.help) console.log(HELP);
else if (values.sheet !== undefined)
  writeFileSync(values.sheet, await contactSheet(values["kept-aside"] ? keptAside : layouts));
else if (values.write !== undefined) await write(values.write);
else {
  await bench();
  process.exit(0);
}
