import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { sourceKey } from "../../api/series.ts";
import { useZone } from "../../parts/instant.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Empty, ProblemNote } from "../../parts/states.tsx";
import { formatInstant } from "../../parts/time.ts";
import { isAmount, toPlotData } from "../../plot/plot-data.ts";
import { SeriesPlot } from "../../plot/series-plot.tsx";
import { ExportButton } from "./export-button.tsx";
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
  const [index, setIndex] = useState<number | null>(null);
  const rested = useRested(range);
  const layers = all.filter(({ source }) => !hidden.includes(sourceKey(source)));
  const [zone, sums] = [useZone(), isAmount(name)];
  const data = useMemo(() => toPlotData(all, sums), [all, sums]);
  const form = { layers: all.map(({ source }) => source), unit, zone, sums, isStepped: name === "hypnogram" };
  const shown = useMemo(
    () =>
      blank(
        data,
        all.map(({ source }) => hidden.includes(sourceKey(source))),
      ),
    [data, hidden],
  );
  const table = useMemo(
    () => <PointTable layers={layers} unit={unit} sums={sums} range={rested} />,
    [all, hidden, rested, unit, sums],
  );
  const span = `${formatInstant(range.from, zone).slice(0, 16)} to ${formatInstant(range.to, zone).slice(0, 16)}`;
  const isEmpty = isComplete && all.length === 0;
  return (
    <>
      <div class="row">
        {select}
        <RangeControls range={range} setRange={setRange} newestMs={newestMs} />
        <ExportButton name={name} unit={unit} layers={layers} range={range} />
      </div>
      {problem ? <ProblemNote problem={problem} retry={() => setRange({ ...range, to: range.to + 1 })} /> : null}
      <div class="card plot-card">
        <p class="row small quiet range-line">
          <span>{span}</span> <span>{zone}</span> <span role="status">{isComplete ? "" : "Loading…"}</span>
        </p>
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the frame passes the keys of the plot on. */}
        <div class="plot-frame" onKeyDown={(event) => rangeKeys(event, range, setRange)}>
          <SeriesPlot
            form={form}
            data={shown}
            range={range}
            label={`${humanize(name)}, ${span}`}
            onRange={setRange}
            onPoint={setIndex}
          />
        </div>
        <Readout index={index} data={shown} layers={all} unit={unit} sums={sums} />
        <Layers layers={all} hidden={hidden} setHidden={setHidden} />
      </div>
      {isEmpty ? <Empty title="No samples in this range">Move the range, or press “Newest”.</Empty> : table}
    </>
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
