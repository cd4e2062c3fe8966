import { readFileSync } from "node:fs";
import { readPages } from "../../../../lib/labs/reports/reader/read-pages.ts";
import { UnreadableReport } from "../../../../lib/labs/reports/unreadable-report.ts";

/** Reads the given files in this process and prints the outcome and the peak memory of the process as JSON. */
const files = process.argv.slice(2).map((path) => new Uint8Array(readFileSync(path)));
const outcome = await readPages(files).then(
  (pages) => ({ words: pages.flatMap((page) => page.words.map((word) => word.text)) }),
  (error: unknown) => (error instanceof UnreadableReport ? { reason: error.reason } : { error: String(error) }),
);
console.log(JSON.stringify({ ...outcome, megabytes: Math.round(process.resourceUsage().maxRSS / 1024) }));
