import { type Layer, sourceKey } from "../../api/series.ts";
import { layerColour } from "../../plot/colours.ts";
import { fullSourceName, sourceLabels } from "../../plot/source-labels.ts";

interface LayersProps {
  readonly layers: readonly Layer[];
  readonly hidden: readonly string[];
  readonly setHidden: (hidden: readonly string[]) => void;
}

/** The sources of a plot with their colours. A press hides or shows one. */
export function Layers({ layers, hidden, setHidden }: LayersProps) {
  const toggle = (key: string) =>
    setHidden(hidden.includes(key) ? hidden.filter((one) => one !== key) : [...hidden, key]);
  const labels = sourceLabels(layers.map(({ source }) => source));
  return (
    <div class="row layers">
      {layers.map(({ source }, index) => {
        const key = sourceKey(source);
        return (
          <button
            key={key}
            type="button"
            class="layer"
            title={fullSourceName(source)}
            aria-pressed={!hidden.includes(key)}
            onClick={() => toggle(key)}
          >
            <span class={`swatch ${layerColour(index).slice(2)}`} />
            {labels.get(key)}
          </button>
        );
      })}
    </div>
  );
}
