/** The comments in a page between which a command writes. */
export interface SectionMarkers {
  readonly start: string;
  readonly end: string;
}

/** Replaces what lies between two markers in a page. @throws Error if the page lacks them. */
export function replaceSection(page: string, { start, end }: SectionMarkers, text: string): string {
  const [first, last] = [page.indexOf(start), page.indexOf(end)];
  if (first < 0 || last < first) throw new Error(`the page has no section from ${start} to ${end}`);
  return `${page.slice(0, first)}${start}\n${text}\n${page.slice(last)}`;
}
