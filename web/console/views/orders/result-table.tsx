import type { MarkerResult } from "../../api/orders.ts";
import { Badge } from "../../parts/badge.tsx";
import { shownUnit } from "../../parts/numbers.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { RangeBar } from "./range-bar.tsx";

const columns: readonly Column<MarkerResult>[] = [
  { name: "Marker", cell: ({ name }) => name },
  {
    name: "Result",
    isNumber: true,
    cell: ({ result, unit }) => `${result}\u00a0${shownUnit(unit ?? "")}`,
  },
  { name: "Range", isWide: true, cell: (result) => <RangeBar result={result} /> },
  { name: "Reference", isWide: true, cell: ({ reference_range }) => reference_range ?? "–" },
  { name: "Interpretation", cell: ({ interpretation }) => <Badge state={interpretation} /> },
  { name: "LOINC", isWide: true, cell: ({ loinc }) => (loinc ? <code>{loinc}</code> : "–") },
  { name: "Note", isWide: true, cell: ({ notes }) => notes ?? "" },
];

/** The values of a result with their reference ranges. */
export function ResultTable({ results }: { readonly results: readonly MarkerResult[] }) {
  return <Table label="Values" columns={columns} rows={results} keyOf={({ name, slug }) => `${slug} ${name}`} />;
}
