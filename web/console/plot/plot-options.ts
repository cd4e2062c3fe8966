import uPlot from "uplot";
import type { Layer } from "../api/series.ts";
import { shownUnit } from "../parts/numbers.ts";
import { colourValue, layerColour, translucent } from "./colours.ts";
import { COLUMNS_PER_LAYER } from "./plot-data.ts";
import { timeLabels } from "./time-axis.ts";

/** What determines the form of a plot. A change of it makes a new plot. */
export interface PlotForm {
  readonly layers: readonly Layer["source"][];
  readonly unit: string | undefined;
  readonly zone: string;
  readonly sums: boolean;
  readonly isStepped: boolean;
}

const AXIS_FONT = "12px system-ui, sans-serif";

/** Options of a plot: the mean of each layer as a line within a band from minimum to maximum, or totals as bars. */
export function plotOptions(form: PlotForm, size: { width: number; height: number }): uPlot.Options {
  const { layers, zone, sums } = form;
  const first = (layer: number) => layer * COLUMNS_PER_LAYER + 1;
  return {
    ...size,
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), zone),
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, y: false, points: { size: 7 } },
    scales: { x: { time: true, range: (_, from, to) => [from, to] }, y: { range: yRange(sums) } },
    axes: [
      { ...axis(), values: (_, ticks, __, ___, stepMs) => timeLabels(ticks, zone, stepMs) },
      { ...axis(), space: 24, size: 56, label: shownUnit(form.unit ?? ""), labelSize: 18, labelFont: AXIS_FONT },
    ],
    series: [{}, ...layers.flatMap((_, index) => layerSeries(index, form))],
    bands: sums
      ? []
      : layers.map((_, index) => ({
          series: [first(index) + 1, first(index) + 2] as [number, number],
          fill: () => translucent(layerColour(index), 0.16),
        })),
  };
}

/** Leaves a little room above and below; amounts begin at zero. */
const yRange =
  (sums: boolean): uPlot.Scale.Range =>
  (_, low, high) => {
    if (low === null || high === null) return [0, 1];
    const room = (high - low || Math.abs(high) || 1) * 0.06;
    return [sums ? 0 : low - room, high + room];
  };

const axis = (): uPlot.Axis => ({
  stroke: () => colourValue("--quiet"),
  font: AXIS_FONT,
  grid: { stroke: () => colourValue("--line"), width: 1 },
  ticks: { stroke: () => colourValue("--line"), width: 1 },
});

function layerSeries(index: number, { sums, isStepped }: PlotForm): uPlot.Series[] {
  const colour = layerColour(index);
  const stroke = () => colourValue(colour);
  const edge: uPlot.Series = { stroke: "transparent", points: { show: false }, ...(sums ? { show: false } : {}) };
  const bars = uPlot.paths.bars?.({ size: [1, 12], align: 1 });
  const steps = uPlot.paths.stepped?.({ align: 1 });
  const paths = sums ? bars : isStepped ? steps : undefined;
  const value: uPlot.Series = {
    stroke,
    width: 1.5,
    ...(paths ? { paths } : {}),
    ...(sums ? { fill: () => translucent(colour, 0.4), points: { show: false } } : {}),
  };
  return [value, edge, edge];
}
