import { type Site, siteColumns, siteRow } from "../domain/places/site.ts";
import { csvRows } from "./csv-rows.ts";

/** The sites of a list, or what is wrong with it, a sentence for each place. */
export interface SiteList {
  readonly sites: readonly Site[];
  readonly problems: readonly string[];
}

/** Reads a CSV list of patient service centers: a line of column names, then a site a line; see docs/places.md. */
export function readSites(text: string): SiteList {
  const [head, ...rows] = csvRows(text);
  const columns = head?.values.map((name) => name.trim()) ?? [];
  const problems = columnProblems(columns);
  if (problems.length > 0) return { sites: [], problems };
  const sites: Site[] = [];
  const lines = new Map<string, number>();
  for (const { line, values } of rows) {
    if (values.length !== columns.length) {
      problems.push(`line ${line}: has ${values.length} values, and there are ${columns.length} columns`);
      continue;
    }
    const given = Object.fromEntries(columns.map((column, index) => [column, values[index]?.trim() ?? ""]));
    const parsed = siteRow.safeParse({ ...blank, ...given });
    if (!parsed.success) {
      problems.push(...parsed.error.issues.map(({ path, message }) => `line ${line}, ${path.join(".")}: ${message}`));
      continue;
    }
    const key = `${parsed.data.lab} ${parsed.data.site_code}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) problems.push(`line ${line}, site_code: is that of line ${earlier} too`);
    lines.set(key, line);
    sites.push(parsed.data);
  }
  return { sites, problems };
}

const blank = Object.fromEntries(siteColumns.map((column) => [column, ""]));
/** What every list has to tell; the other columns may be missing. */
const required: readonly string[] = [
  "lab",
  "site_code",
  "name",
  "first_line",
  "city",
  "state",
  "zip_code",
  "lat",
  "lng",
];

function columnProblems(columns: readonly string[]): string[] {
  const known: readonly string[] = siteColumns;
  return [
    ...required.filter((name) => !columns.includes(name)).map((name) => `the column ${name} is missing`),
    ...columns.filter((name) => !known.includes(name)).map((name) => `there is no column ${name}`),
    ...columns.filter((name, index) => columns.indexOf(name) !== index).map((name) => `the column ${name} comes twice`),
  ];
}
