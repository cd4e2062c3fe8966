import { type Site, siteColumns, siteRow } from "../domain/places/site.ts";
import { parseCsv } from "./parse-csv.ts";

/** The sites of a list, or its problems, one sentence each. */
export interface SiteList {
  readonly sites: readonly Site[];
  readonly problems: readonly string[];
}

/** Parses a CSV list of patient service centers: a header, then one site per line; see docs/places.md. */
export function readSites(text: string): SiteList {
  const [head, ...rows] = parseCsv(text);
  const columns = head?.values.map((name) => name.trim()) ?? [];
  const problems = findColumnProblems(columns);
  if (problems.length > 0) return { sites: [], problems };
  const sites: Site[] = [];
  const lines = new Map<string, number>();
  for (const { line, values } of rows) {
    if (values.length !== columns.length) {
      problems.push(`line ${line}: has ${values.length} values for ${columns.length} columns`);
      continue;
    }
    const given = Object.fromEntries(columns.map((column, index) => [column, values[index]?.trim() ?? ""]));
    const parsed = siteRow.safeParse({ ...BLANK_ROW, ...given });
    if (!parsed.success) {
      problems.push(...parsed.error.issues.map(({ path, message }) => `line ${line}, ${path.join(".")}: ${message}`));
      continue;
    }
    const key = `${parsed.data.lab} ${parsed.data.site_code}`;
    const earlier = lines.get(key);
    if (earlier !== undefined) problems.push(`line ${line}, site_code: duplicates line ${earlier}`);
    lines.set(key, line);
    sites.push(parsed.data);
  }
  return { sites, problems };
}

const BLANK_ROW = Object.fromEntries(siteColumns.map((column) => [column, ""]));
/** Columns that every list must have. The others are optional. */
const REQUIRED_COLUMNS: readonly string[] = [
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

function findColumnProblems(columns: readonly string[]): string[] {
  const known: readonly string[] = siteColumns;
  return [
    ...REQUIRED_COLUMNS.filter((name) => !columns.includes(name)).map((name) => `the column ${name} is missing`),
    ...columns.filter((name) => !known.includes(name)).map((name) => `the column ${name} is unknown`),
    ...columns
      .filter((name, index) => columns.indexOf(name) !== index)
      .map((name) => `the column ${name} is duplicated`),
  ];
}
