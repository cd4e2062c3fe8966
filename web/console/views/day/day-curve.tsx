import { useMemo } from "preact/hooks";
import { getSeries, type Range, type Series, sourceKey } from "../../api/series.ts";
import { useLoad } from "../../api/use-load.ts";
import { Link } from "../../parts/link.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { layerColour } from "../../plot/colours.ts";
import { isAmount, toPlotData } from "../../plot/plot-data.ts";
import { SeriesPlot } from "../../plot/series-plot.tsx";
import { sourceLabels } from "../../plot/source-labels.ts";

const POINTS = 400;
const HEIGHT = 150;

interface DayCurveProps {
  readonly userId: string;
  readonly resource: string;
  readonly range: Range;
  readonly zone: string;
}

/** The samples of a day as a small plot. */
export function DayCurve({ userId, resource, range, zone }: DayCurveProps) {
  const load = useLoad(`curve ${userId} ${resource} ${range.from} ${range.to}`, (signal) =>
    getSeries(userId, resource, range, POINTS, signal),
  );
  const iso = (ms: number) => new Date(ms).toISOString();
  const place = `/users/${userId}/data?resource=${resource}&from=${iso(range.from)}&to=${iso(range.to)}`;
  return (
    <Section title={humanize(resource)} actions={<Link to={place}>Open the plot</Link>}>
      <Loaded load={load} lines={3}>
        {(series) =>
          series.layers.length === 0 ? (
            <p class="quiet">No samples.</p>
          ) : (
            <Curve series={series} range={range} zone={zone} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Curve({ series, range, zone }: { readonly series: Series; readonly range: Range; readonly zone: string }) {
  const { layers, resource, unit } = series;
  const sums = isAmount(resource);
  const data = useMemo(() => toPlotData(layers, sums), [layers, sums]);
  const sources = layers.map(({ source }) => source);
  const labels = sourceLabels(sources);
  const form = { layers: sources, unit: unit ?? undefined, zone, sums, isStepped: false };
  return (
    <div class="card plot-card">
      <SeriesPlot form={form} data={data} range={range} height={HEIGHT} label={`${humanize(resource)} of the day`} />
      <p class="row small quiet layers">
        {sources.map((source, index) => (
          <span key={sourceKey(source)} class="layer">
            <span class={`swatch ${layerColour(index).slice(2)}`} /> {labels.get(sourceKey(source))}
          </span>
        ))}
      </p>
    </div>
  );
}
