import type { ReportTruth, TruthMetadata, TruthRow } from "../content/report-truth.ts";
import { alignRows, foldText, type RowPair } from "./align-rows.ts";

/** The scored fields of a parsed row. */
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

/** The parser's result for a report; doubts name rows by index. */
export interface ReadReport {
  readonly data: {
    readonly metadata: Readonly<Record<keyof TruthMetadata, string | null>>;
    readonly results: readonly ReadRow[];
  };
  readonly doubts: readonly { readonly row: number }[];
}

export const scoredFields = [
  "test_name",
  "value",
  "units",
  "min_reference_range",
  "max_reference_range",
  "interpretation",
] as const;
export type ScoredField = (typeof scoredFields)[number];

/** The score of a row. */
export interface RowScore extends RowPair<TruthRow, ReadRow> {
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
  if (field === "test_name") return foldText(truth.test_name) === foldText(read.test_name);
  if (field === "units") return spaced(truth.units) === spaced(read.units);
  return truth[field] === read[field];
}

/** A code is correct if the first match has it, or if nothing matched and the catalogue has no code. */
function isLoincRight(truth: TruthRow, read: ReadRow): boolean {
  if (truth.loinc === null) return read.loinc_match_status !== "auto_match";
  return read.loinc_matches?.[0]?.loinc_code === truth.loinc;
}

function scoreRow(pair: RowPair<TruthRow, ReadRow>, doubted: ReadonlySet<number>): RowScore {
  const { truth, read, place } = pair;
  const isConfident =
    read !== null && read.loinc_match_status === "auto_match" && place !== null && !doubted.has(place);
  if (truth === null || read === null) return { ...pair, wrong: [], isLoincRight: false, isConfident };
  const wrong = scoredFields.filter((field) => !isSame(field, truth, read));
  return { ...pair, wrong, isLoincRight: isLoincRight(truth, read), isConfident };
}

const dates = new Set<keyof TruthMetadata>(["dob", "date_reported", "date_collected"]);

/** Dates compare by day, names without case. */
function isSameMetadata(
  field: keyof TruthMetadata,
  truth: TruthMetadata,
  read: ReadReport["data"]["metadata"],
): boolean {
  const found = read[field];
  if (found === null) return false;
  return dates.has(field) ? found.slice(0, 10) === truth[field] : foldText(found) === foldText(truth[field]);
}

/** Whether all fields of a row are correct. */
export const isFullyCorrect = ({ truth, read, wrong }: RowScore): boolean =>
  truth !== null && read !== null && wrong.length === 0;

/** Whether the parser reports no doubt about an incorrect row: a wrong field, a wrong code, or an invented row. */
export const isWrongButConfident = (row: RowScore): boolean =>
  row.isConfident && !(isFullyCorrect(row) && row.isLoincRight);

/** Compares a parsed report with the truth. A failed parse counts all rows as missing. */
export function scoreReport(truth: ReportTruth, read: ReadReport | null): ReportScore {
  const doubted = new Set(read?.doubts.map(({ row }) => row));
  const pairs = alignRows(truth.results, read?.data.results ?? []);
  const names = Object.keys(truth.metadata) as (keyof TruthMetadata)[];
  const wrongMetadata = names.filter(
    (name) => read === null || !isSameMetadata(name, truth.metadata, read.data.metadata),
  );
  return { rows: pairs.map((pair) => scoreRow(pair, doubted)), wrongMetadata };
}
