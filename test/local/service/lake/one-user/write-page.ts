import { FIRST_DAY, LAST_DAY } from "./fill-user.ts";
import { type Sheet, type SheetRow, sheetRows, WHOLE } from "./sheet.ts";

const DECIMALS = 2;
const HEAD = [
  "# One user, seen in three ways",
  "",
  "This page is for readers who ask whether the API, FHIR and the lake agree. It shows one synthetic user: a week of a watch and a",
  "phone, a glucose sensor, and two orders. `test/local/service/lake/one-user` fills the user, reads each number in each way, and",
  "writes this page. The test fails if two ways differ in the sixth decimal, or if the page is not current.",
  "",
  "- API: the routes of summaries, samples, orders and results.",
  "- FHIR search: `GET /fhir/Patient/{id}/$everything`, all pages. FHIR bulk export: the NDJSON files of `GET /fhir/Patient/$export`.",
  "- Lake, DuckDB: SQL over the Parquet files of the tables. Results of laboratories are not in the lake.",
  "- Days of samples are UTC. Steps and resting heart rate are those of the watch.",
];

const format = (value: number | undefined): string =>
  value === undefined ? "–" : value.toLocaleString("en", { maximumFractionDigits: DECIMALS });

/** Returns the page with a table of days and a table of numbers that have no day. */
export function writePage(ways: readonly (readonly [string, Sheet])[]): string {
  const rows = Object.keys(sheetRows) as SheetRow[];
  const isWhole = (row: SheetRow) => ways.some(([, sheet]) => sheet.get(row)?.has(WHOLE));
  const days = daysOf(ways.flatMap(([, sheet]) => rows.flatMap((row) => [...(sheet.get(row)?.keys() ?? [])])));
  return [
    ...HEAD,
    "",
    ...table(
      ways,
      rows.filter((row) => !isWhole(row)),
      days,
    ),
    "",
    ...table(ways, rows.filter(isWhole), [WHOLE]),
    "",
  ].join("\n");
}

function table(ways: readonly (readonly [string, Sheet])[], rows: readonly SheetRow[], days: readonly string[]) {
  const lines = rows.flatMap((row) =>
    ways.map(([way, sheet], index) => {
      const [title, unit] = sheetRows[row];
      const name = index > 0 ? "" : unit === "" ? title : `${title} (${unit})`;
      return line([name, way, ...days.map((day) => format(sheet.get(row)?.get(day)))]);
    }),
  );
  const heads = days.map((day) => (day === WHOLE ? "Number" : day.slice("2026-".length)));
  return [line(["Measure", "Read by", ...heads]), `|---|---|${"--:|".repeat(days.length)}`, ...lines];
}

const daysOf = (found: readonly string[]): string[] =>
  [...new Set(found)].filter((day) => day >= FIRST_DAY && day <= LAST_DAY).toSorted();
const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
