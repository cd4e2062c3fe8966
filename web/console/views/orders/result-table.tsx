import type { EarlierValue, MarkerResult } from "../../api/orders.ts";
import { Badge } from "../../parts/badge.tsx";
import { shownUnit } from "../../parts/numbers.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { RangeBar } from "./range-bar.tsx";
import { Trend } from "./trend.tsx";

/** Earlier values of the same person, by the slug of the marker. */
export type EarlierValues = ReadonlyMap<string, readonly EarlierValue[]>;

/** The range that the report prints, or the one of its numbers. */
function rangeOf({ reference_range: printed, min_range_value: min, max_range_value: max }: MarkerResult): string {
  if (printed) return printed;
  if (min !== null && max !== null) return `${min}–${max}`;
  if (min !== null) return `≥ ${min}`;
  return max === null ? "–" : `≤ ${max}`;
}

const columns: readonly Column<MarkerResult>[] = [
  { name: "Marker", cell: ({ name }) => name },
  {
    name: "Result",
    isNumber: true,
    cell: ({ result, unit }) => `${result}\u00a0${shownUnit(unit ?? "")}`,
  },
  { name: "Range", isWide: true, cell: (result) => <RangeBar result={result} /> },
  { name: "Reference", isWide: true, cell: rangeOf },
  { name: "Interpretation", cell: ({ interpretation }) => <Badge state={interpretation} /> },
];

/** Values in another unit are no trend. */
const comparable = ({ slug, unit }: MarkerResult, earlier: EarlierValues) =>
  (earlier.get(slug) ?? []).filter((one) => one.unit === unit);

const trendOf = (earlier: EarlierValues): Column<MarkerResult> => ({
  name: "Before",
  isWide: true,
  cell: (result) => <Trend result={result} earlier={comparable(result, earlier)} />,
});

const lastColumns = (results: readonly MarkerResult[]): readonly Column<MarkerResult>[] => [
  { name: "LOINC", isWide: true, cell: ({ loinc }) => (loinc ? <code class="unbroken">{loinc}</code> : "–") },
  ...(results.some(({ notes }) => notes)
    ? [{ name: "Note", isWide: true, cell: ({ notes }: MarkerResult) => notes ?? "" }]
    : []),
];

interface ResultTableProps {
  readonly results: readonly MarkerResult[];
  readonly earlier: EarlierValues;
}

/** The values of a result with their reference ranges, and with earlier values if there are any. */
export function ResultTable({ results, earlier }: ResultTableProps) {
  const all = [...columns, ...(earlier.size > 0 ? [trendOf(earlier)] : []), ...lastColumns(results)];
  return <Table label="Values" columns={all} rows={results} keyOf={({ name, slug }) => `${slug} ${name}`} />;
}
