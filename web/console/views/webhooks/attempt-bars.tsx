import { useState } from "preact/hooks";
import { type AttemptBar, getAttempts } from "../../api/endpoints.ts";
import { useLoad } from "../../api/use-load.ts";
import { useZone } from "../../parts/instant.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { formatInstant } from "../../parts/time.ts";

const INTERVALS = { "5m": "a day", "15m": "3 days", "1h": "14 days", "1d": "30 days" } as const;
/** Height of the tallest bar in units of the drawing. */
const HEIGHT = 60;

/** Attempts at all endpoints of the team over time, and the share that failed. */
export function AttemptBars() {
  const [interval, setInterval] = useState("5m");
  const load = useLoad(`attempts ${interval}`, (signal) => getAttempts(interval, signal));
  return (
    <Section
      title="Attempts of the team"
      actions={
        <select aria-label="Range" value={interval} onChange={(event) => setInterval(event.currentTarget.value)}>
          {Object.entries(INTERVALS).map(([name, range]) => (
            <option key={name} value={name}>
              {range}
            </option>
          ))}
        </select>
      }
    >
      <Loaded load={load} lines={2}>
        {(bars) => <Bars bars={bars} />}
      </Loaded>
    </Section>
  );
}

function Bars({ bars }: { readonly bars: readonly AttemptBar[] }) {
  const zone = useZone();
  const sum = (of: (bar: AttemptBar) => number) => bars.reduce((total, bar) => total + of(bar), 0);
  const [delivered, failed] = [sum((bar) => bar.delivered), sum((bar) => bar.failed)];
  const most = Math.max(1, ...bars.map((bar) => bar.delivered + bar.failed));
  const total = delivered + failed;
  const share = total === 0 ? "" : ` (${((failed / total) * 100).toFixed(1)} %)`;
  const words = `${formatNumber(total)} attempts, ${formatNumber(failed)} failed${share}`;
  return (
    <figure class="bars">
      <svg viewBox={`0 0 ${bars.length} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={words}>
        {bars.map((bar, place) => {
          const [low, high] = [(bar.failed / most) * HEIGHT, (bar.delivered / most) * HEIGHT];
          if (low + high === 0) return null;
          return (
            <g key={bar.atMs}>
              <title>{`${formatInstant(bar.atMs, zone)}: ${bar.delivered} delivered, ${bar.failed} failed`}</title>
              <rect class="bar-bad" x={place} y={HEIGHT - low} width={0.8} height={low} />
              <rect class="bar-good" x={place} y={HEIGHT - low - high} width={0.8} height={high} />
            </g>
          );
        })}
      </svg>
      <figcaption class="quiet small">{words}</figcaption>
    </figure>
  );
}
