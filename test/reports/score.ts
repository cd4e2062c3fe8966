import { alignRows, folded, type Pair } from "./align-rows.ts";
import type { ReportTruth, TruthMetadata, TruthRow } from "./truth.ts";

/** A row of results as the parser answers it, as far as it is scored. */
export interface ReadRow {
  readonly test_name: string;
  readonly value: string;
  readonly units: string | null;
  readonly min_reference_range: number | null;
  readonly max_reference_range: number | null;
  readonly interpretation: string | null;
  readonly loinc_matches: readonly { readonly loinc_code: string }[] | null;
  readonly loinc_match_status: string | null;
}

/** What the parser found in a report; doubts name rows by their place. */
export interface ReadReport {
  readonly data: {
    readonly metadata: Readonly<Record<keyof TruthMetadata, string | null>>;
    readonly results: readonly ReadRow[];
  };
  readonly doubts: readonly { readonly row: number }[];
}

export const fields = [
  "test_name",
  "value",
  "units",
  "min_reference_range",
  "max_reference_range",
  "interpretation",
] as const;
export type ScoredField = (typeof fields)[number];

/** How a row was read. */
export interface RowScore extends Pair<TruthRow, ReadRow> {
  readonly wrong: readonly ScoredField[];
  readonly isLoincRight: boolean;
  /** Matched by the parser without a doubt. */
  readonly isConfident: boolean;
}

export interface ReportScore {
  readonly rows: readonly RowScore[];
  readonly wrongMetadata: readonly (keyof TruthMetadata)[];
}

const spaced = (text: string | null): string | null => text?.replaceAll(/\s+/g, " ").trim() ?? null;

function isSame(field: ScoredField, truth: TruthRow, read: ReadRow): boolean {
  if (field === "test_name") return folded(truth.test_name) === folded(read.test_name);
  if (field === "units") return spaced(truth.units) === spaced(read.units);
  return truth[field] === read[field];
}

/** The code is right when the first match has it, and when nothing is matched that the catalogue has no code for. */
function isLoincRight(truth: TruthRow, read: ReadRow): boolean {
  if (truth.loinc === null) return read.loinc_match_status !== "auto_match";
  return read.loinc_matches?.[0]?.loinc_code === truth.loinc;
}

function scoreRow(pair: Pair<TruthRow, ReadRow>, doubted: ReadonlySet<number>): RowScore {
  const { truth, read, place } = pair;
  const isConfident =
    read !== null && read.loinc_match_status === "auto_match" && place !== null && !doubted.has(place);
  if (truth === null || read === null) return { ...pair, wrong: [], isLoincRight: false, isConfident };
  const wrong = fields.filter((field) => !isSame(field, truth, read));
  return { ...pair, wrong, isLoincRight: isLoincRight(truth, read), isConfident };
}

const dates = new Set<keyof TruthMetadata>(["dob", "date_reported", "date_collected"]);

/** Dates count by their day, names without case. */
function isSameMetadata(
  field: keyof TruthMetadata,
  truth: TruthMetadata,
  read: ReadReport["data"]["metadata"],
): boolean {
  const found = read[field];
  if (found === null) return false;
  return dates.has(field) ? found.slice(0, 10) === truth[field] : folded(found) === folded(truth[field]);
}

/** Whether a row has all its fields right. */
export const isFullyRight = ({ truth, read, wrong }: RowScore): boolean =>
  truth !== null && read !== null && wrong.length === 0;

/** Whether nothing warns of a row that is wrong: in a field or in its code, or that is in no report at all. */
export const isWrongButConfident = (row: RowScore): boolean =>
  row.isConfident && !(isFullyRight(row) && row.isLoincRight);

/** Compares what was read with the truth; a report that could not be read has all its rows missing. */
export function scoreReport(truth: ReportTruth, read: ReadReport | null): ReportScore {
  const doubted = new Set(read?.doubts.map(({ row }) => row));
  const pairs = alignRows(truth.results, read?.data.results ?? []);
  const names = Object.keys(truth.metadata) as (keyof TruthMetadata)[];
  const wrongMetadata = names.filter(
    (name) => read === null || !isSameMetadata(name, truth.metadata, read.data.metadata),
  );
  return { rows: pairs.map((pair) => scoreRow(pair, doubted)), wrongMetadata };
}
