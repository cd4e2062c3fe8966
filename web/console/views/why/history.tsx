import { useState } from "preact/hooks";
import { type MergeRule, queryDays } from "../../api/aggregate.ts";
import { Problem } from "../../api/request.ts";
import { serviceNow } from "../../api/service-clock.ts";
import { useLoad } from "../../api/use-load.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { formatMeasured } from "../../parts/measured.ts";
import type { Measure } from "../../parts/measures.ts";
import { Section } from "../../parts/page.tsx";
import { Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const HOUR_MS = 3_600_000;
/** How long before now the number is computed again, in hours. */
const BEFORE_HOURS = [0, 1, 6, 24, 72, 168, 336] as const;

interface HistoryProps {
  readonly userId: string;
  readonly measure: Measure;
  readonly day: string;
  readonly merge: MergeRule;
}

/** What the number was at an earlier instant. */
interface Version {
  readonly at: number;
  readonly value: number | null | undefined;
  /** Whether the service still knows what it had received at that instant. */
  readonly isKnown: boolean;
  readonly isChanged: boolean;
}

async function loadVersions({ userId, measure, day, merge }: HistoryProps, signal: AbortSignal) {
  const now = serviceNow();
  const values = await Promise.all(
    BEFORE_HOURS.map(async (hours) => {
      const at = now - hours * HOUR_MS;
      const asOf = hours === 0 ? undefined : new Date(at).toISOString();
      const [group] = await queryDays(userId, { ...measure, day, days: 1, merge, asOf }, false, signal).catch(
        unlessTooOld,
      );
      return { at, value: group?.value, isKnown: group !== TOO_OLD };
    }),
  );
  return values.map((one, index): Version => ({ ...one, isChanged: one.value !== values[index + 1]?.value }));
}

const TOO_OLD = { group: "", value: null } as const;

/** An instant before the first stored version is no failure of the whole table. */
function unlessTooOld(error: unknown) {
  if (error instanceof Problem && (error.status === 422 || error.status === 400)) return [TOO_OLD];
  throw error;
}

const columnsOf = (measure: Measure): readonly Column<Version>[] => [
  { name: "Received until", cell: ({ at }) => <Instant at={at} /> },
  {
    name: "Value",
    isNumber: true,
    cell: ({ value, isKnown }) => (isKnown ? formatMeasured(value, measure) : "no longer stored"),
  },
  {
    name: "Change",
    cell: ({ isChanged, at }) =>
      isChanged && at ? <Badge state="changed since the row below" tone="warn" /> : <span class="quiet">–</span>,
  },
];

/** What the number was before, from what the service had received by then. */
export function History(props: HistoryProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Section
      title="What it was before"
      note="Computed from what the service had received until each instant."
      actions={
        isOpen ? null : (
          <button type="button" onClick={() => setOpen(true)}>
            Compute
          </button>
        )
      }
    >
      {isOpen ? <Versions {...props} /> : null}
    </Section>
  );
}

function Versions(props: HistoryProps) {
  const { userId, measure, day, merge } = props;
  const key = `versions ${userId} ${measure.name} ${day} ${merge}`;
  const load = useLoad(key, (signal) => loadVersions(props, signal));
  return (
    <Loaded load={load} lines={6}>
      {(versions) => (
        <Table label="Versions" columns={columnsOf(measure)} rows={versions} keyOf={({ at }) => String(at)} />
      )}
    </Loaded>
  );
}
