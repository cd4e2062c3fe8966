import { useState } from "preact/hooks";
import { listUsage, type UsageDay } from "../../api/settings.ts";
import { useLoad } from "../../api/use-load.ts";
import { toCsv } from "../../parts/csv.ts";
import { formatBytes } from "../../parts/format-bytes.ts";
import { formatDollars, formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { UsageBars } from "./usage-bars.tsx";

const columns: readonly Column<UsageDay>[] = [
  { name: "Day, UTC", cell: ({ date }) => <span class="unbroken">{date}</span> },
  { name: "Requests", isNumber: true, cell: ({ requests }) => formatNumber(requests) },
  { name: "Samples", isNumber: true, cell: ({ samples }) => formatNumber(samples) },
  { name: "Events", isNumber: true, isWide: true, cell: ({ events }) => formatNumber(events) },
  { name: "Deliveries", isNumber: true, isWide: true, cell: ({ deliveries }) => formatNumber(deliveries) },
  { name: "Stored", isNumber: true, isWide: true, cell: ({ stored_bytes }) => formatBytes(stored_bytes) },
  { name: "Estimated cost", isNumber: true, cell: ({ estimated_dollars }) => formatDollars(estimated_dollars) },
];

const fields = ["date", "requests", "samples", "events", "deliveries", "stored_bytes", "estimated_dollars"] as const;
const exportCsv = (days: readonly UsageDay[]) =>
  saveFile(
    "usage.csv",
    new Blob([toCsv([fields, ...days.map((day) => fields.map((field) => day[field]))])], { type: "text/csv" }),
  );

/** The usage of the team and its estimated cost, by day. */
export function Usage() {
  const [days, setDays] = useState(14);
  const load = useLoad(`usage ${days}`, (signal) => listUsage(days, signal));
  const sum = load.value?.reduce((total, day) => total + day.estimated_dollars, 0);
  return (
    <Section
      title="Usage by day"
      note={sum === undefined ? null : `${formatDollars(sum)} estimated for AWS in these days.`}
      actions={
        <>
          <select aria-label="Days" value={days} onChange={(event) => setDays(Number(event.currentTarget.value))}>
            {[14, 31, 93].map((count) => (
              <option key={count} value={count}>
                {count} days
              </option>
            ))}
          </select>
          <button type="button" disabled={!load.value?.length} onClick={() => exportCsv(load.value ?? [])}>
            Export CSV
          </button>
        </>
      }
    >
      <Loaded load={load}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="No usage in these days" />
          ) : (
            <>
              <UsageBars days={rows} count={days} />
              <Table label="Usage" isTall columns={columns} rows={rows} keyOf={({ date }) => date} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}
