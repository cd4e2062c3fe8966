import { splitCells, textOf } from "../page/page-lines.ts";
import type { ReportWord } from "../page/report-page.ts";

const LOINC = /^\d{3,5}-\d$/;

/** The words of a name without a separate site code behind it. */
export function dropSiteCode(words: readonly ReportWord[]): string {
  const cells = splitCells(words);
  const last = cells.at(-1)?.text ?? "";
  return textOf(
    cells.length > 1 && /^(?:\d{2}|[A-Z]{2})$/.test(last) ? cells.slice(0, -1).flatMap((cell) => cell.words) : words,
  );
}

/** A name without adjacent codes and marks. */
export function cleanName(printed: string): string {
  const words = printed.split(" ").filter((word) => word !== "" && !LOINC.test(word) && !/^[•◦▪■□►*†‡§|]+$/.test(word));
  const text = words
    .join(" ")
    .replaceAll(/\s+(?=,)/g, "")
    .replace(/[\s:_…]+$|\s*\.{2,}$/, "")
    .replace(/^[\s.:_…•'"`‘’“”]+/, "")
    .replace(/^\d{1,3}[.)]\s+(?=\p{L}{2})/u, "");
  return text;
}
