import type { EarlierValue, MarkerResult } from "../../api/orders.ts";
import { useZone } from "../../parts/instant.tsx";
import { formatNumber, shownUnit } from "../../parts/numbers.ts";
import { dateOf } from "../../parts/time.ts";

const WIDTH = 72;
const HEIGHT = 20;
const MARGIN = 3;

interface TrendProps {
  readonly result: MarkerResult;
  /** Oldest first. */
  readonly earlier: readonly EarlierValue[];
}

/** The values of a marker in earlier results and this one, as a line, and the last one before as a number. */
export function Trend({ result, earlier }: TrendProps) {
  const zone = useZone();
  const last = earlier.at(-1);
  if (!last || result.value === null) return <span class="quiet">–</span>;
  const values = [...earlier.map(({ value }) => value), result.value];
  const unit = shownUnit(result.unit ?? "");
  const words = earlier.map(({ at, value }) =>
    `${dateOf(Date.parse(at), zone)}: ${formatNumber(value)} ${unit}`.trim(),
  );
  return (
    <span class="trend" title={words.join("\n")}>
      <svg width={WIDTH} height={HEIGHT} role="img" aria-label={`before: ${words.join(", ")}`}>
        <polyline points={pointsOf(values)} />
      </svg>
      <span class="quiet">{formatNumber(last.value)}</span>
    </span>
  );
}

function pointsOf(values: readonly number[]): string {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = (WIDTH - 2 * MARGIN) / (values.length - 1);
  const y = (value: number) => HEIGHT - MARGIN - ((value - low) / (high - low || 1)) * (HEIGHT - 2 * MARGIN);
  return values.map((value, place) => `${MARGIN + place * step},${y(value)}`).join(" ");
}
