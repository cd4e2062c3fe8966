import { useState } from "preact/hooks";
import { serviceNow } from "../../api/service-clock.ts";
import type { UsageDay } from "../../api/settings.ts";
import { Bars } from "../../parts/bars.tsx";
import { formatBytes } from "../../parts/format-bytes.ts";
import { formatDollars, formatNumber } from "../../parts/numbers.ts";
import { addDays, dateOf } from "../../parts/time.ts";

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

interface UsageBarsProps {
  /** Days with usage. */
  readonly days: readonly UsageDay[];
  /** Number of days to show, up to today. */
  readonly count: number;
}

/** One measure of the usage as a bar for each day. */
export function UsageBars({ days, count }: UsageBarsProps) {
  const [measure, setMeasure] = useState<Measure>("estimated_dollars");
  const [name, format] = measures[measure];
  const today = dateOf(serviceNow(), "UTC");
  const shown = Array.from({ length: count }, (_, place) => {
    const date = addDays(today, place - count + 1);
    return { date, value: days.find((day) => day.date === date)?.[measure] ?? 0 };
  });
  const most = Math.max(...days.map((day) => day[measure]));
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
          title: `${day.date}: ${format(day.value)}`,
          parts: [{ tone: "plain", value: day.value }],
        }))}
      />
    </div>
  );
}
