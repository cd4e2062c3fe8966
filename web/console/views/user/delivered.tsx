import type { ResourceState } from "../../api/users.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber, humanize, nameProvider } from "../../parts/numbers.ts";
import { type Column, Table } from "../../parts/table.tsx";
import { plottedName } from "./plotted-name.ts";

/** What a provider delivered of one resource. */
export interface DeliveredRow {
  readonly provider: string;
  readonly resource: string;
  readonly state: ResourceState;
}

/** What each provider delivered, also one that is not connected but whose data somebody sent. */
export function Delivered({ userId, rows }: { readonly userId: string; readonly rows: readonly DeliveredRow[] }) {
  if (rows.length === 0) return <p class="quiet">No data has come in yet.</p>;
  return (
    <details class="more">
      <summary>What each provider delivered: {formatNumber(rows.length)} resources</summary>
      <Table
        label="Delivered resources"
        columns={deliveredColumns(userId)}
        rows={rows}
        keyOf={({ provider, resource }) => `${provider} ${resource}`}
      />
    </details>
  );
}

const deliveredColumns = (userId: string): readonly Column<DeliveredRow>[] => [
  { name: "Provider", cell: ({ provider }) => nameProvider(provider) },
  { name: "Resource", cell: (row) => <ResourceLink userId={userId} name={row.resource} /> },
  { name: "Records", isNumber: true, cell: ({ state }) => formatNumber(state.sent_count) },
  { name: "Oldest", isWide: true, cell: ({ state }) => <Instant at={state.oldest_data} /> },
  { name: "Newest", cell: ({ state }) => <Instant at={state.newest_data} /> },
  {
    name: "Last attempt",
    isWide: true,
    cell: ({ state: { last_attempt: last } }) =>
      last ? (
        <>
          <Badge state={last.status} /> <Instant at={last.timestamp} isAge />
        </>
      ) : (
        <span class="quiet">–</span>
      ),
  },
];

function ResourceLink({ userId, name }: { readonly userId: string; readonly name: string }) {
  const plotted = plottedName(name);
  if (!plotted) return <>{humanize(name)}</>;
  return (
    <Link to={`/users/${userId}/data?resource=${plotted}`} isItem>
      {humanize(name)}
    </Link>
  );
}
