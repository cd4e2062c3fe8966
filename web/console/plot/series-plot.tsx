import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import type { Range } from "../api/series.ts";
import { theme } from "../app/preferences.ts";
import { attachGestures } from "./gestures.ts";
import { type PlotForm, plotOptions } from "./plot-options.ts";

interface SeriesPlotProps {
  readonly form: PlotForm;
  readonly data: uPlot.AlignedData;
  readonly range: Range;
  readonly height?: number;
  readonly label: string;
  readonly onRange?: (range: Range) => void;
  /** Called with the position in the data under the pointer, or null. */
  readonly onPoint?: (index: number | null) => void;
}

/** A plot on a canvas. It draws whatever it receives and reports gestures; it loads nothing. */
export function SeriesPlot({ form, data, range, height = 300, label, onRange, onPoint }: SeriesPlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const latest = useRef({ range, onRange, onPoint });
  latest.current = { range, onRange, onPoint };
  const formKey = JSON.stringify(form);
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const made = create(element, form, height, () => latest.current);
    plot.current = made.plot;
    return made.end;
  }, [formKey, height]);
  useEffect(() => {
    plot.current?.setData(data, false);
    plot.current?.setScale("x", { min: range.from, max: range.to });
  }, [data, range.from, range.to, formKey, height]);
  return <div ref={frame} class="plot" role="img" aria-label={label} />;
}

interface Latest {
  readonly range: Range;
  readonly onRange?: ((range: Range) => void) | undefined;
  readonly onPoint?: ((index: number | null) => void) | undefined;
}

/** Creates the plot in an element, and follows the width of the element, gestures and colours until it ends. */
function create(element: HTMLElement, form: PlotForm, height: number, latest: () => Latest) {
  const options = plotOptions(form, { width: element.clientWidth, height });
  const setCursor = (made: uPlot) => latest().onPoint?.(made.cursor.idx ?? null);
  const empty = [[], ...options.series.slice(1).map(() => [])] as unknown as uPlot.AlignedData;
  const plot = new uPlot({ ...options, hooks: { setCursor: [setCursor] } }, empty, element);
  const resizing = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  resizing.observe(element);
  const isMovable = latest().onRange !== undefined;
  const set = (range: Range) => latest().onRange?.(range);
  const endGestures = isMovable ? attachGestures(plot.over, { get: () => latest().range, set }) : () => undefined;
  const redraw = () => plot.redraw();
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", redraw);
  const unfollow = theme.subscribe(() => requestAnimationFrame(redraw));
  const end = () => {
    resizing.disconnect();
    endGestures();
    system.removeEventListener("change", redraw);
    unfollow();
    plot.destroy();
  };
  return { plot, end };
}
