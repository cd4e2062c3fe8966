import { useState } from "preact/hooks";
import type { UsageDay } from "../../api/settings.ts";
import { Bars } from "../../parts/bars.tsx";
import { formatBytes } from "../../parts/format-bytes.ts";
import { formatDollars, formatNumber } from "../../parts/numbers.ts";

type Measure = Exclude<keyof UsageDay, "date">;

/** What the bars can show, with its name and its format. */
const measures: Readonly<Record<Measure, readonly [name: string, format: (value: number) => string]>> = {
  estimated_dollars: ["Estimated cost", formatDollars],
  requests: ["Requests", formatNumber],
  samples: ["Samples", formatNumber],
  events: ["Events", formatNumber],
  deliveries: ["Deliveries", formatNumber],
  stored_bytes: ["Stored", formatBytes],
};

/** One measure of the usage as a bar for each day. @param days newest first. */
export function UsageBars({ days }: { readonly days: readonly UsageDay[] }) {
  const [measure, setMeasure] = useState<Measure>("estimated_dollars");
  const [name, format] = measures[measure];
  const shown = days.toReversed();
  const most = Math.max(...shown.map((day) => day[measure]));
  return (
    <div class="card">
      <label class="row small">
        Each day
        <select value={measure} onChange={(event) => setMeasure(event.currentTarget.value as Measure)}>
          {Object.entries(measures).map(([key, [words]]) => (
            <option key={key} value={key}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <Bars
        words={`${name}: at most ${format(most)} a day`}
        ends={[shown[0]?.date ?? "", shown.at(-1)?.date ?? ""]}
        bars={shown.map((day) => ({
          key: day.date,
          title: `${day.date}: ${format(day[measure])}`,
          parts: [{ tone: "plain", value: day[measure] }],
        }))}
      />
    </div>
  );
}
