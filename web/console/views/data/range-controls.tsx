import type { Range } from "../../api/series.ts";
import { pan, zoom } from "../../plot/gestures.ts";

const DAY_MS = 86_400_000;
const WIDTHS = [
  ["Day", DAY_MS],
  ["Week", 7 * DAY_MS],
  ["Month", 30 * DAY_MS],
  ["Quarter", 91 * DAY_MS],
  ["Year", 365 * DAY_MS],
] as const;

interface RangeControlsProps {
  readonly range: Range;
  readonly setRange: (range: Range) => void;
  readonly newestMs: number;
}

/** Buttons that move and resize a range. */
export function RangeControls({ range, setRange, newestMs }: RangeControlsProps) {
  const width = range.to - range.from;
  const resize = (ms: number) => setRange({ from: range.to - ms, to: range.to });
  const goToNewest = () => setRange({ from: newestMs - width * 0.98, to: newestMs + width * 0.02 });
  return (
    <fieldset class="row bare">
      <legend class="hidden">Range</legend>
      {WIDTHS.map(([name, ms]) => (
        <button key={name} type="button" aria-pressed={Math.abs(width - ms) < 60_000} onClick={() => resize(ms)}>
          {name}
        </button>
      ))}
      <button type="button" aria-label="Earlier" title="Earlier" onClick={() => setRange(pan(range, -0.5))}>
        ←
      </button>
      <button type="button" aria-label="Later" title="Later" onClick={() => setRange(pan(range, 0.5))}>
        →
      </button>
      <button type="button" aria-label="Zoom in" title="Zoom in" onClick={() => setRange(zoom(range, 0.5))}>
        +
      </button>
      <button type="button" aria-label="Zoom out" title="Zoom out" onClick={() => setRange(zoom(range, 2))}>
        −
      </button>
      <button type="button" onClick={goToNewest}>
        Newest
      </button>
    </fieldset>
  );
}

const KEYS: Readonly<Record<string, (range: Range) => Range>> = {
  ArrowLeft: (range) => pan(range, -0.1),
  ArrowRight: (range) => pan(range, 0.1),
  "+": (range) => zoom(range, 0.8),
  "-": (range) => zoom(range, 1.25),
};

/** Moves a range by keys: the arrows pan, plus and minus zoom. */
export function rangeKeys(event: KeyboardEvent, range: Range, setRange: (range: Range) => void): void {
  const change = KEYS[event.key];
  if (!change) return;
  event.preventDefault();
  setRange(change(range));
}
