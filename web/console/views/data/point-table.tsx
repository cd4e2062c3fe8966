import type { Layer, Range } from "../../api/series.ts";
import { sourceKey } from "../../api/series.ts";
import { Instant } from "../../parts/instant.tsx";
import { formatNumber, formatQuantity } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { pointValue } from "../../plot/plot-data.ts";
import { fullSourceName, sourceLabels } from "../../plot/source-labels.ts";
import { type SourcedPoint, visiblePoints } from "./visible-points.ts";

/** Rows that the table shows; the export has all. */
const MAX_ROWS = 100;

const columnsOf = (
  unit: string | undefined,
  sums: boolean,
  labels: ReadonlyMap<string, string>,
): readonly Column<SourcedPoint>[] => [
  { name: "Time", cell: ({ point: [t] }) => <Instant at={t} /> },
  {
    name: sums ? "Total" : "Mean",
    isNumber: true,
    cell: ({ point }) => formatQuantity(pointValue(point, sums), unit),
  },
  { name: "Minimum", isNumber: true, isWide: true, cell: ({ point: [, min] }) => formatQuantity(min) },
  { name: "Maximum", isNumber: true, isWide: true, cell: ({ point: [, , max] }) => formatQuantity(max) },
  { name: "Samples", isNumber: true, isWide: true, cell: ({ point }) => formatNumber(point[4]) },
  { name: "Source", cell: ({ source }) => <span title={fullSourceName(source)}>{labels.get(sourceKey(source))}</span> },
];

interface PointTableProps {
  readonly layers: readonly Layer[];
  readonly unit: string | undefined;
  readonly sums: boolean;
  readonly range: Range;
}

/** The points behind a plot, newest first. A point of one sample is that sample. */
export function PointTable({ layers, unit, sums, range }: PointTableProps) {
  const points = visiblePoints(layers, range);
  const labels = sourceLabels(layers.map(({ source }) => source));
  const samples = points.reduce((total, { point }) => total + point[4], 0);
  const shown = points.length > MAX_ROWS ? `The newest ${MAX_ROWS} of ` : "";
  return (
    <Section
      title="Table"
      note={`${shown}${formatNumber(points.length)} points of ${formatNumber(samples)} samples. Zoom in for single samples.`}
    >
      <Table
        label="Points"
        isTall
        columns={columnsOf(unit, sums, labels)}
        rows={points.slice(0, MAX_ROWS)}
        keyOf={({ source, point }) => `${sourceKey(source)} ${point[0]}`}
      />
    </Section>
  );
}
