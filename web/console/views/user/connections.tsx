import { useLoad } from "../../api/use-load.ts";
import { type Connection, getHistories, getResources, listConnections, type ResourceState } from "../../api/users.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber, humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { plottedName } from "./plotted-name.ts";

/** A connection with what it delivered and how far its history is. */
interface ConnectionRow extends Connection {
  readonly resources: readonly (readonly [string, ResourceState])[];
  readonly histories: readonly string[];
}

async function loadConnections(userId: string, signal: AbortSignal): Promise<readonly ConnectionRow[]> {
  const [connections, resources, histories] = await Promise.all([
    listConnections(userId, signal),
    getResources(userId, signal),
    getHistories(userId, signal),
  ]);
  return connections.map((connection) => ({
    ...connection,
    resources: Object.entries(resources[connection.slug] ?? {}).sort(([one], [other]) => one.localeCompare(other)),
    histories: Object.values(histories[connection.slug]?.pulled ?? {}).map(({ status }) => status),
  }));
}

const newest = (states: readonly (string | null | undefined)[]) =>
  states
    .flatMap((at) => at ?? [])
    .sort()
    .at(-1);

const connectionColumns: readonly Column<ConnectionRow>[] = [
  { name: "Provider", cell: ({ name }) => <strong>{name}</strong> },
  { name: "State", cell: (row) => <ConnectionState row={row} /> },
  { name: "Connected", isWide: true, cell: ({ created_on }) => <Instant at={created_on} /> },
  {
    name: "Last data",
    cell: ({ resources }) => <Instant at={newest(resources.map(([, { newest_data }]) => newest_data))} />,
  },
  {
    name: "Last pull",
    isWide: true,
    cell: ({ resources }) => {
      const at = newest(resources.map(([, { last_attempt }]) => last_attempt?.timestamp));
      return at ? <Instant at={at} isAge /> : <span class="quiet">the phone sends</span>;
    },
  },
  { name: "History", isWide: true, cell: ({ histories }) => <HistoryProgress states={histories} /> },
];

function ConnectionState({ row: { status, error_details } }: { readonly row: ConnectionRow }) {
  if (!error_details) return <Badge state={status} />;
  return (
    <>
      <Badge state={status} tone="bad" />{" "}
      <span class="bad-text small">
        {error_details.error_message ?? error_details.error_type ?? "The provider gave no reason."}
      </span>
    </>
  );
}

function HistoryProgress({ states }: { readonly states: readonly string[] }) {
  if (states.length === 0) return <span class="quiet">not pulled</span>;
  const done = states.filter((state) => state === "success").length;
  const failed = states.filter((state) => state === "failure").length;
  return (
    <span class={failed > 0 ? "bad-text" : ""}>
      {done} of {states.length} complete{failed > 0 ? `, ${failed} failed` : ""}
    </span>
  );
}

/** The connections of a user with their state, and below each what it delivered. */
export function Connections({ userId }: { readonly userId: string }) {
  const load = useLoad(`connections ${userId}`, (signal) => loadConnections(userId, signal));
  return (
    <Section title="Connections">
      <Loaded load={load}>
        {(rows) =>
          rows.length === 0 ? (
            <Empty title="Nothing is connected">
              Create a link with <code>POST /v2/link/token</code> and let the user open it.
            </Empty>
          ) : (
            <>
              <Table label="Connections" columns={connectionColumns} rows={rows} keyOf={({ slug }) => slug} />
              <Delivered userId={userId} rows={rows} />
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

interface DeliveredRow {
  readonly provider: string;
  readonly resource: string;
  readonly state: ResourceState;
}

function Delivered({ userId, rows }: { readonly userId: string; readonly rows: readonly ConnectionRow[] }) {
  const all = rows.flatMap(({ name, resources }) =>
    resources.map(([resource, state]): DeliveredRow => ({ provider: name, resource, state })),
  );
  if (all.length === 0) return <p class="quiet">No data has come in yet.</p>;
  return (
    <details class="more">
      <summary>What each provider delivered: {formatNumber(all.length)} resources</summary>
      <Table
        label="Delivered resources"
        columns={deliveredColumns(userId)}
        rows={all}
        keyOf={({ provider, resource }) => `${provider} ${resource}`}
      />
    </details>
  );
}

const deliveredColumns = (userId: string): readonly Column<DeliveredRow>[] => [
  { name: "Provider", cell: ({ provider }) => provider },
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
