import * as z from "zod";
import { CommandFailed, UsageRefused } from "../../frame/command-failed.ts";
import { declareCommand } from "../../frame/declaration.ts";
import { flag, option, path, wholeNumber } from "../../frame/values.ts";

/** Kinds of documents, as in test/reports/files/report-document.ts, which loads too much for a help text. */
const kinds = ["text", "scan300", "scan200", "photo"] as const;
/** A list of words between commas. */
const list = z
  .string()
  .default("")
  .transform((given) => given.split(",").filter(Boolean));
const kindList = list
  .transform((given) => (given.length > 0 ? given : kinds))
  .pipe(z.array(z.enum(kinds, { error: `must be of ${kinds.join(", ")}` })));

export const benchReports = declareCommand({
  name: "reports",
  summary: "Reads synthetic lab reports and counts the correct values",
  options: {
    kinds: option("<list>", `kinds of documents, of ${kinds.join(",")}; all by default`, kindList),
    layouts: option("<list>", "only these layouts", list),
    seed: option("<number>", "seed of the reports", wholeNumber(0).default(1)),
    limit: option("<count>", "maximum number of reports per kind", wholeNumber().default(1_000)),
    keptAside: flag("the held-out layouts (docs/lab-reports.md says what was tuned on them)"),
    failures: flag("print wrong rows next to the truth"),
    write: option("<folder>", "only write the reports and their truth", path.optional()),
    sheet: option("<file.png>", "only write one picture of a dozen reports", path.optional()),
  },
  examples: [["bench reports --kinds text --limit 10", "ten reports with text"]],
  json: "option",
  run: async ({ failures, write, sheet, ...corpus }, session) => {
    if (write && sheet) throw new UsageRefused("--write and --sheet exclude each other");
    const work = await import("../../../../test/reports/bench/bench-reports.ts");
    const data: Record<string, unknown> = {};
    try {
      if (sheet !== undefined) await work.writeContactSheet(sheet, corpus.keptAside);
      else if (write !== undefined) await work.writeReports(corpus, write);
      else data.tallies = await work.benchReports(corpus, failures, session);
    } catch (error) {
      throw new CommandFailed(error instanceof Error ? error.message : String(error), { cause: error });
    }
    const written = sheet ?? write;
    if (written !== undefined) session.print(`Written to ${written}.`);
    // Threads of the reader would keep the process alive.
    else setImmediate(() => process.exit());
    return { data };
  },
});
