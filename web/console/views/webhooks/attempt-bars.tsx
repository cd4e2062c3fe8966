import { useState } from "preact/hooks";
import { type AttemptBar, getAttempts } from "../../api/endpoints.ts";
import { useLoad } from "../../api/use-load.ts";
import { Bars } from "../../parts/bars.tsx";
import { useZone } from "../../parts/instant.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { formatInstant } from "../../parts/time.ts";

const INTERVALS = { "5m": "a day", "15m": "3 days", "1h": "14 days", "1d": "30 days" } as const;

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
        {(bars) => <Attempts bars={bars} />}
      </Loaded>
    </Section>
  );
}

function Attempts({ bars }: { readonly bars: readonly AttemptBar[] }) {
  const zone = useZone();
  const at = (bar: AttemptBar | undefined) => (bar ? formatInstant(bar.atMs, zone).slice(0, 16) : "");
  const sum = (of: (bar: AttemptBar) => number) => bars.reduce((total, bar) => total + of(bar), 0);
  const [delivered, failed] = [sum((bar) => bar.delivered), sum((bar) => bar.failed)];
  const total = delivered + failed;
  const share = total === 0 ? "" : ` (${((failed / total) * 100).toFixed(1)} %)`;
  return (
    <Bars
      words={`${formatNumber(total)} attempts, ${formatNumber(failed)} failed${share}`}
      ends={[at(bars[0]), at(bars.at(-1))]}
      bars={bars.map((bar) => ({
        key: bar.atMs,
        title: `${at(bar)}: ${bar.delivered} delivered, ${bar.failed} failed`,
        parts: [
          { tone: "bad", value: bar.failed },
          { tone: "good", value: bar.delivered },
        ],
      }))}
    />
  );
}
