import type { MarkerResult } from "../../api/orders.ts";

const WIDTH = 120;
const HEIGHT = 12;
/** Part of the bar left and right of the reference range. */
const MARGIN = 0.25;

/** Where a value lies: the range in the middle of a bar, the value as a mark, at an edge if it is far outside. */
export function RangeBar({ result }: { readonly result: MarkerResult }) {
  const { value, min_range_value: min, max_range_value: max } = result;
  if (value === null || (min === null && max === null)) return <span class="quiet">–</span>;
  const low = min ?? Math.min(0, max ?? 0);
  const high = max ?? Math.max(value, low) * 1.2;
  const place = MARGIN + ((value - low) / (high - low || 1)) * (1 - 2 * MARGIN);
  const x = Math.min(Math.max(place, 0.02), 0.98) * WIDTH;
  const isInside = value >= low && value <= high;
  return (
    <svg
      class="range-bar"
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={isInside ? "within range" : "outside range"}
    >
      <rect class="range-track" x={0} y={4} width={WIDTH} height={4} rx={2} />
      <rect class="range-span" x={MARGIN * WIDTH} y={4} width={(1 - 2 * MARGIN) * WIDTH} height={4} />
      <circle class={isInside ? "range-mark" : "range-mark outside"} cx={x} cy={6} r={4.5} />
    </svg>
  );
}
