import type { ImportObserver } from "../../connectors/imports/import-file.ts";
import { Progress } from "../progress.ts";

/** Shows the progress of an import on the standard error: reading the export, then storing its requests. */
export function createImportObserver(): ImportObserver {
  let reading: Progress | undefined;
  let storing: Progress | undefined;
  return {
    recognised: (title) => void process.stderr.write(`Recognised: ${title}.\n`),
    reading(bytes, totalBytes, records) {
      reading ??= new Progress({ label: "Reading", total: totalBytes, unit: "bytes" });
      const perSecond = Math.round((1000 * records) / Math.max(1, reading.elapsedMs));
      reading.update(bytes, `${perSecond.toLocaleString("en")} records/s`);
    },
    read: (records) => reading?.done(`Read ${records.toLocaleString("en")} records.`),
    storing(receipts, total) {
      storing ??= new Progress({ label: "Storing", total, unit: "requests" });
      storing.update(receipts);
      if (receipts === total) storing.done(`Stored ${total.toLocaleString("en")} requests.`);
    },
  };
}
