import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { type Layer, type Range, sourceKey } from "../../api/series.ts";
import { useZone } from "../../parts/instant.tsx";
import { humanize } from "../../parts/numbers.ts";
import { ScrollFrame } from "../../parts/scroll-frame.tsx";
import { Empty, ProblemNote } from "../../parts/states.tsx";
import { formatInstant } from "../../parts/time.ts";
import { isAmount, toPlotData } from "../../plot/plot-data.ts";
import { SeriesPlot } from "../../plot/series-plot.tsx";
import { ExportButtons } from "./export-buttons.tsx";
import { Layers } from "./layers.tsx";
import { PointTable } from "./point-table.tsx";
import { RangeControls, rangeKeys } from "./range-controls.tsx";
import { Readout } from "./readout.tsx";
import { readRange, useRange, useRested } from "./use-range.ts";
import { useSeries } from "./use-series.ts";

interface DataPlotProps {
  readonly userId: string;
  readonly name: string;
  readonly newestMs: number;
  readonly query: URLSearchParams;
  readonly select: ComponentChildren;
}

/** A plot of one resource that pans and zooms, its layers, and the table of what it shows. */
export function DataPlot({ userId, name, newestMs, query, select }: DataPlotProps) {
  const iso = (ms: number) => new Date(ms).toISOString().replace(/\.\d+/, "");
  const [range, setRange] = useRange(
    readRange(query, newestMs),
    ({ from, to }) => `/users/${userId}/data?resource=${name}&from=${iso(from)}&to=${iso(to)}`,
  );
  const { layers: all, unit, isComplete, problem } = useSeries(userId, name, range);
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const rested = useRested(range);
  const layers = all.filter(({ source }) => !hidden.includes(sourceKey(source)));
  const sums = isAmount(name);
  const isLoading = !isComplete && problem === undefined;
  const table = useMemo(
    () => <PointTable layers={layers} unit={unit} sums={sums} range={rested} />,
    [all, hidden, rested, unit, sums],
  );
  return (
    <>
      <div class="row">
        {select}
        <RangeControls range={range} setRange={setRange} newestMs={newestMs} />
        <ExportButtons name={name} unit={unit} layers={layers} range={range} />
      </div>
      {problem ? <ProblemNote problem={problem} retry={() => setRange({ ...range, to: range.to + 1 })} /> : null}
      <PlotCard {...{ name, unit, sums, range, setRange, hidden, isLoading }} layers={all} setHidden={setHidden} />
      {isComplete && all.length === 0 ? (
        <Empty title="No samples in this range">Move the range, or press “Newest”.</Empty>
      ) : (
        table
      )}
    </>
  );
}

interface PlotCardProps {
  readonly name: string;
  readonly unit: string | undefined;
  readonly sums: boolean;
  readonly layers: readonly Layer[];
  readonly hidden: readonly string[];
  readonly setHidden: (hidden: readonly string[]) => void;
  readonly range: Range;
  readonly setRange: (range: Range) => void;
  readonly isLoading: boolean;
}

/** The plot with its range above, the values under the pointer and the sources below. */
function PlotCard({ name, unit, sums, layers, hidden, setHidden, range, setRange, isLoading }: PlotCardProps) {
  const [index, setIndex] = useState<number | null>(null);
  const zone = useZone();
  const data = useMemo(() => toPlotData(layers, sums), [layers, sums]);
  const isHidden = layers.map(({ source }) => hidden.includes(sourceKey(source)));
  const shown = useMemo(() => blank(data, isHidden), [data, hidden]);
  const form = { layers: layers.map(({ source }) => source), unit, zone, sums, isStepped: name === "hypnogram" };
  const span = `${formatInstant(range.from, zone).slice(0, 16)} to ${formatInstant(range.to, zone).slice(0, 16)}`;
  return (
    <div class="card plot-card">
      <p class="row small quiet range-line">
        <span>{span}</span> <span>{zone}</span> <span role="status">{isLoading ? "Loading…" : ""}</span>
      </p>
      <ScrollFrame class="plot-frame" label="Plot" onKeyDown={(event) => rangeKeys(event, range, setRange)}>
        <SeriesPlot
          form={form}
          data={shown}
          range={range}
          label={`${humanize(name)}, ${span}`}
          onRange={setRange}
          onPoint={setIndex}
        />
      </ScrollFrame>
      <Readout index={index} data={shown} layers={layers} unit={unit} sums={sums} />
      <Layers layers={layers} hidden={hidden} setHidden={setHidden} />
    </div>
  );
}

/** The data without the values of hidden layers. */
function blank(data: ReturnType<typeof toPlotData>, isHidden: readonly boolean[]): ReturnType<typeof toPlotData> {
  const [times, ...columns] = data;
  const shown = columns.map((column, at) =>
    isHidden[Math.floor(at / 3)] ? new Array<null>(times.length).fill(null) : column,
  );
  return [times, ...shown] as unknown as ReturnType<typeof toPlotData>;
}
