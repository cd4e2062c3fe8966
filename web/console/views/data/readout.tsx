import type { AlignedData } from "uplot";
import type { Layer } from "../../api/series.ts";
import { Instant } from "../../parts/instant.tsx";
import { formatQuantity } from "../../parts/numbers.ts";
import { layerColour } from "../../plot/colours.ts";
import { COLUMNS_PER_LAYER } from "../../plot/plot-data.ts";

interface ReadoutProps {
  /** Position in the data under the pointer. */
  readonly index: number | null;
  readonly data: AlignedData;
  readonly layers: readonly Layer[];
  readonly unit: string | undefined;
  readonly sums: boolean;
}

/** The values under the pointer, or how to move the plot. */
export function Readout({ index, data, layers, unit, sums }: ReadoutProps) {
  const at = index === null ? undefined : data[0][index];
  if (index === null || at === undefined)
    return (
      <p class="readout quiet">
        Drag to move, Ctrl and wheel or a double click to zoom; arrow keys and + − on the plot.
        {sums ? " Bars show totals." : " Lines show means, bands reach from minimum to maximum."}
      </p>
    );
  return (
    <p class="readout row">
      <Instant at={at} />
      {layers.map(({ source }, layer) => {
        const [mean, max, min] = [0, 1, 2].map((column) => data[layer * COLUMNS_PER_LAYER + 1 + column]?.[index]);
        if (mean === undefined || mean === null) return null;
        const extremes = !sums && min !== max ? ` (${formatQuantity(min)} to ${formatQuantity(max)})` : "";
        return (
          <span key={JSON.stringify(source)} class="layer">
            <span class={`swatch ${layerColour(layer).slice(2)}`} />
            {formatQuantity(mean, unit)}
            {extremes}
          </span>
        );
      })}
    </p>
  );
}
