import { useLoad } from "../../api/use-load.ts";
import { type Endpoint, listEndpoints } from "../../api/webhooks.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { EndpointDetail } from "./endpoint-detail.tsx";

/** The endpoints of the team: how deliveries go, their messages and attempts, tests and replay. */
export function WebhooksView({ query }: { readonly query: URLSearchParams }) {
  const load = useLoad("endpoints", listEndpoints);
  return (
    <Page title="Webhooks">
      <Loaded load={load} lines={6}>
        {(endpoints) => {
          const chosen = endpoints.find(({ id }) => id === query.get("endpoint")) ?? endpoints[0];
          if (!chosen)
            return (
              <Empty title="No endpoints yet">
                Create one with a management key: <code>POST /v1/org/…/team/…/webhook</code>.
              </Empty>
            );
          return (
            <>
              <EndpointTable endpoints={endpoints} chosen={chosen} />
              <EndpointDetail key={chosen.id} endpoint={chosen} eventId={query.get("event")} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

const endpointColumns: readonly Column<Endpoint>[] = [
  {
    name: "Endpoint",
    cell: ({ id, url, description }) => (
      <Link to={`/webhooks?endpoint=${id}`} isItem>
        {description ?? url}
      </Link>
    ),
  },
  { name: "URL", isWide: true, cell: ({ url }) => <code>{url}</code> },
  {
    name: "State",
    cell: ({ disabled, disabled_reason }) =>
      disabled ? (
        <Badge state={`disabled: ${disabled_reason ?? "manual"}`} tone="bad" />
      ) : (
        <Badge state="enabled" tone="good" />
      ),
  },
  { name: "Created", isWide: true, cell: ({ created_at }) => <Instant at={created_at} /> },
];

const EndpointTable = ({
  endpoints,
  chosen,
}: {
  readonly endpoints: readonly Endpoint[];
  readonly chosen: Endpoint;
}) => (
  <Table
    label="Endpoints"
    columns={endpointColumns}
    rows={endpoints}
    keyOf={({ id }) => id}
    isCurrent={({ id }) => id === chosen.id}
  />
);
