import { expect } from "vitest";
import type { ReportPage } from "../../../../lib/domain/lab-reports/page/report-page.ts";
import { readPages } from "../../../../lib/labs/reports/reader/read-pages.ts";

/** Returns the words of a page. */
export const texts = (page: ReportPage | undefined) => page?.words.map((word) => word.text);
/** Finds a word of a page. */
export const word = (page: ReportPage | undefined, text: string) => page?.words.find((one) => one.text === text);

/** The only page of the files. Recognition returns words line by line, in reading order. */
export async function only(...files: readonly Uint8Array[]): Promise<ReportPage> {
  const [page, ...others] = await readPages(files);
  expect(others).toEqual([]);
  return page!;
}
