import type { TruthRow } from "../content/report-truth.ts";
import type { ReportDocument } from "../files/report-document.ts";
import { isFullyCorrect, isWrongButConfident, type ReadRow, type RowScore } from "./score-report.ts";

function shown(row: TruthRow | ReadRow | null): string {
  if (row === null) return "-";
  const loinc = "loinc" in row ? row.loinc : `${row.loinc_matches?.[0]?.loinc_code ?? null} ${row.loinc_match_status}`;
  const { test_name, value, units, min_reference_range, max_reference_range, interpretation } = row;
  return [test_name, value, units, min_reference_range, max_reference_range, interpretation, loinc]
    .map(String)
    .join(" | ");
}

function reason(row: RowScore): string {
  if (row.read === null) return "missing";
  if (row.truth === null) return "invented";
  return [...row.wrong, ...(row.isLoincRight ? [] : ["loinc"])].join(", ");
}

/** Lists the incorrect rows of a report beside the truth. The data is synthetic, so the output may show values. */
export function failureLines({ name }: ReportDocument, rows: readonly RowScore[], failure: unknown): string[] {
  const said =
    failure === null
      ? []
      : [`  not read: ${failure instanceof Error ? (failure.stack ?? failure.message) : String(failure)}`];
  const wrong = failure === null ? rows.filter((row) => !isFullyCorrect(row) || !row.isLoincRight) : [];
  if (said.length === 0 && wrong.length === 0) return [];
  const lines = wrong.flatMap((row) => [
    `  ${isWrongButConfident(row) ? "CONFIDENT " : ""}${reason(row)}`,
    `    truth ${shown(row.truth)}`,
    `    read  ${shown(row.read)}`,
  ]);
  return [`${name}: ${wrong.length} of ${rows.length} rows`, ...said, ...lines];
}
