import { useLoad } from "../../api/use-load.ts";
import { type Connection, getHistories, getResources, listConnections, type ResourceState } from "../../api/users.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Delivered, type DeliveredRow } from "./delivered.tsx";

/** A connection with what it delivered and how far its history is. */
interface ConnectionRow extends Connection {
  readonly resources: readonly ResourceState[];
  readonly histories: readonly string[];
}

async function loadConnections(userId: string, signal: AbortSignal) {
  const [connections, resources, histories] = await Promise.all([
    listConnections(userId, signal),
    getResources(userId, signal),
    getHistories(userId, signal),
  ]);
  const rows = connections.map(
    (connection): ConnectionRow => ({
      ...connection,
      resources: Object.values(resources[connection.slug] ?? {}),
      histories: Object.values(histories[connection.slug]?.pulled ?? {}).map(({ status }) => status),
    }),
  );
  const delivered = Object.entries(resources).flatMap(([provider, own]) =>
    Object.entries(own).map(([resource, state]): DeliveredRow => ({ provider, resource, state })),
  );
  return { rows, delivered };
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
    cell: ({ resources }) => <Instant at={newest(resources.map(({ newest_data }) => newest_data))} />,
  },
  {
    name: "Last pull",
    isWide: true,
    cell: ({ resources }) => {
      const at = newest(resources.map(({ last_attempt }) => last_attempt?.timestamp));
      return at ? <Instant at={at} isAge /> : <span class="quiet">the phone sends</span>;
    },
  },
  { name: "History", isWide: true, cell: ({ histories }) => <HistoryProgress states={histories} /> },
];

/** Why data is missing although a connection works, in words. */
const STALE: Readonly<Record<string, string>> = {
  silent: "Nothing arrives any more.",
  pushes_lost: "Pulls find data that no push has sent.",
};

function ConnectionState({ row: { status, error_details, staleness } }: { readonly row: ConnectionRow }) {
  if (staleness)
    return (
      <>
        <Badge state="stale" tone="warn" />{" "}
        <span class="small">
          {STALE[staleness.reason] ?? humanize(staleness.reason)} Since <Instant at={staleness.stale_since} />
        </span>
      </>
    );
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
        {({ rows, delivered }) => (
          <>
            {rows.length === 0 ? (
              <Empty title="Nothing is connected">
                Create a link with <code>POST /v2/link/token</code> and let the user open it.
              </Empty>
            ) : (
              <Table label="Connected providers" columns={connectionColumns} rows={rows} keyOf={({ slug }) => slug} />
            )}
            <Delivered userId={userId} rows={delivered} />
          </>
        )}
      </Loaded>
    </Section>
  );
}
