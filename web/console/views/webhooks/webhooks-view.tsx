import { useState } from "preact/hooks";
import { createEndpoint, type EndpointSettings, getSecret } from "../../api/endpoints.ts";
import { useLoad } from "../../api/use-load.ts";
import { type Endpoint, listEndpoints } from "../../api/webhooks.ts";
import { navigate } from "../../app/route.ts";
import { changesTeam, replaysEvents, session } from "../../app/session.ts";
import { useStore } from "../../app/store.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { Page } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { AttemptBars } from "./attempt-bars.tsx";
import { NewSecret } from "./endpoint-actions.tsx";
import { EndpointDetail } from "./endpoint-detail.tsx";
import { EndpointForm } from "./endpoint-form.tsx";

/** The endpoints of the team: how deliveries go, their messages and attempts, changes, tests and replay. */
export function WebhooksView({ query }: { readonly query: URLSearchParams }) {
  const load = useLoad("endpoints", listEndpoints);
  const present = useStore(session);
  const mayChange = changesTeam(present);
  return (
    <Page title="Webhooks" actions={mayChange ? <CreateEndpoint created={load.reload} /> : null}>
      <Loaded load={load} lines={6}>
        {(endpoints) => {
          const chosen = endpoints.find(({ id }) => id === query.get("endpoint")) ?? endpoints[0];
          if (!chosen) return <NoEndpoints mayChange={mayChange} />;
          return (
            <>
              <EndpointTable endpoints={endpoints} chosen={chosen} />
              <EndpointDetail
                key={chosen.id}
                endpoint={chosen}
                eventId={query.get("event")}
                changed={load.reload}
                rights={{ mayChange, mayReplay: replaysEvents(present) }}
              />
            </>
          );
        }}
      </Loaded>
      {replaysEvents(present) ? <AttemptBars /> : null}
    </Page>
  );
}

const NoEndpoints = ({ mayChange }: { readonly mayChange: boolean }) => (
  <Empty title="No endpoints yet">
    {mayChange
      ? "An endpoint is an address of your backend that receives the events of the team."
      : "An admin creates one here, in a session that a ticket opened."}
  </Empty>
);

function CreateEndpoint({ created }: { readonly created: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const [secret, setSecret] = useState<string>();
  const create = async (settings: EndpointSettings) => {
    const { id } = await createEndpoint(settings);
    navigate(`/webhooks?endpoint=${id}`);
    setSecret(await getSecret(id));
    created();
  };
  return (
    <>
      <button type="button" class="primary" onClick={() => setOpen(true)}>
        Create an endpoint
      </button>
      {isOpen ? <EndpointForm title="Create an endpoint" save={create} close={() => setOpen(false)} /> : null}
      {secret === undefined || isOpen ? null : <NewSecret secret={secret} close={() => setSecret(undefined)} />}
    </>
  );
}

const endpointColumns: readonly Column<Endpoint>[] = [
  {
    name: "Endpoint",
    cell: ({ id, url, description }) => (
      <Link to={`/webhooks?endpoint=${id}`} isItem>
        {description || url}
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
