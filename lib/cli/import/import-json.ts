import type { ImportTotals } from "../../connectors/imports/sending/import-totals.ts";

/** The totals of an import as `--json` prints them: counts, and for refusals the counts by reason. */
export function toImportJson({ read, derived, stored, updated, unchanged, difference, ...totals }: ImportTotals) {
  const { rejected, examples, dropped, leftOut, damaged } = totals;
  const byReason = { rejected, examples, dropped_fields: dropped, not_imported: leftOut };
  const lists = Object.fromEntries(
    Object.entries(byReason).map(([name, map]) => [name, Object.fromEntries<unknown>(map)]),
  );
  return { read, derived, stored, updated, unchanged, difference, ...lists, damaged_files: damaged };
}
