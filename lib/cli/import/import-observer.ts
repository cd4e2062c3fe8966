import type { ImportObserver } from "../../connectors/apple-health-export/import-health-export.ts";
import { Progress } from "../progress.ts";

/** Shows the progress of an import on the standard error: reading the export, then storing its requests. */
export function createImportObserver(): ImportObserver {
  let reading: Progress | undefined;
  let storing: Progress | undefined;
  return {
    reading(bytes, totalBytes, records) {
      reading ??= new Progress({ label: "Reading", total: totalBytes, unit: "bytes" });
      const perSecond = Math.round((1000 * records) / Math.max(1, reading.elapsedMs));
      reading.update(bytes, `${perSecond.toLocaleString("en")} records/s`);
      if (bytes === totalBytes) reading.done(`Read ${records.toLocaleString("en")} records.`);
    },
    storing(receipts, total) {
      storing ??= new Progress({ label: "Storing", total, unit: "requests" });
      storing.update(receipts);
      if (receipts === total) storing.done(`Stored ${total.toLocaleString("en")} requests.`);
    },
  };
}
