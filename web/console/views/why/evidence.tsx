import type { ExplainedSource, Explanation } from "../../api/aggregate.ts";
import { sourceKey } from "../../api/series.ts";
import { Badge } from "../../parts/badge.tsx";
import { type Lane, Lanes } from "../../parts/lanes.tsx";
import { formatMeasured } from "../../parts/measured.ts";
import type { Measure } from "../../parts/measures.ts";
import { formatNumber } from "../../parts/numbers.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { fullSourceName, sourceLabels } from "../../plot/source-labels.ts";
import { shortenSources } from "./shorten-sources.ts";

interface EvidenceProps {
  readonly explanation: Explanation;
  readonly day: string;
  readonly measure: Measure;
}

interface Row extends ExplainedSource {
  readonly isUsed: boolean;
}

/** Local times have no offset, so both ends of the axis are read as UTC. */
const localMs = (time: string) => Date.parse(`${time}Z`);
const HOUR_MS = 3_600_000;

/** Which source counted when, and what each one alone would have given. */
export function Evidence({ explanation, day, measure }: EvidenceProps) {
  const rows: readonly Row[] = [
    ...explanation.used.map((source) => ({ ...source, isUsed: true })),
    ...explanation.set_aside.map((source) => ({ ...source, isUsed: false })),
  ];
  const labels = sourceLabels(unique(rows));
  const start = localMs(`${day}T00:00:00`);
  const range = { from: start, to: start + 24 * HOUR_MS };
  const ticks = [0, 3, 6, 9, 12, 15, 18, 21].map(
    (hour) => [start + hour * HOUR_MS, `${String(hour).padStart(2, "0")}:00`] as const,
  );
  return (
    <>
      <Lanes label="When each source counted" range={range} ticks={ticks} lanes={toLanes(rows, labels)} />
      <p class="row small quiet">
        <span class="key used" /> counts <span class="key set-aside" /> set aside · local time of the user
      </p>
      <Table
        label="Sources"
        columns={columnsOf(explanation, measure, labels)}
        rows={rows}
        keyOf={({ source, isUsed }) => `${sourceKey(source)} ${isUsed}`}
      />
    </>
  );
}

const unique = (rows: readonly Row[]) => [...new Map(rows.map(({ source }) => [sourceKey(source), source])).values()];

/** One lane for each source, with what counted and what did not. */
function toLanes(rows: readonly Row[], labels: ReadonlyMap<string, string>): readonly Lane[] {
  return [...Map.groupBy(rows, ({ source }) => sourceKey(source))].map(([key, own]) => ({
    key,
    label: labels.get(key) ?? key,
    segments: own.flatMap(({ intervals, isUsed }) =>
      intervals.map(({ from, to }) => ({
        from: localMs(from),
        to: localMs(to),
        tone: isUsed ? "used" : "set-aside",
        title: `${from.slice(11, 16)} to ${to.slice(11, 16)} ${isUsed ? "counts" : "set aside"}`,
      })),
    ),
  }));
}

const columnsOf = (
  explanation: Explanation,
  measure: Measure,
  labels: ReadonlyMap<string, string>,
): readonly Column<Row>[] => [
  {
    name: "Source",
    cell: ({ source }) => <span title={fullSourceName(source)}>{labels.get(sourceKey(source))}</span>,
  },
  {
    name: "Outcome",
    cell: ({ isUsed }) => <Badge state={isUsed ? "counts" : "set aside"} tone={isUsed ? "good" : "plain"} />,
  },
  {
    name: "Gives",
    isNumber: true,
    cell: ({ values }) => formatMeasured(Object.values(values)[0], measure),
  },
  { name: "Rows", isNumber: true, cell: ({ rows }) => formatNumber(rows) },
  {
    name: "Intervals",
    isNumber: true,
    isWide: true,
    cell: ({ intervals, more_intervals }) => formatNumber(intervals.length + more_intervals),
  },
  {
    name: "Why",
    isWide: true,
    cell: ({ because }) => <span class="quiet">{because ? shortenSources(because, explanation) : "ranks first"}</span>,
  },
];
