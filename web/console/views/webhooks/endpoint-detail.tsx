import { useState } from "preact/hooks";
import { toProblem, useLoad } from "../../api/use-load.ts";
import { type Endpoint, listMessages, type Message, sendTest } from "../../api/webhooks.ts";
import { Badge } from "../../parts/badge.tsx";
import { EventType } from "../../parts/event-type.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Delivery } from "./delivery.tsx";

const messageColumns = (endpointId: string): readonly Column<Message>[] => [
  { name: "Created", cell: ({ created_at }) => <Instant at={created_at} /> },
  {
    name: "State",
    cell: ({ state, reason }) => <Badge state={reason ? `${state}: ${reason}` : state} tone={toneOf(state)} />,
  },
  {
    name: "Type",
    cell: ({ event_type, event_id }) => (
      <Link to={`/webhooks?endpoint=${endpointId}&event=${event_id}`} isItem>
        <EventType type={event_type} />
      </Link>
    ),
  },
  { name: "Attempts", isNumber: true, isWide: true, cell: ({ attempt_count }) => formatNumber(attempt_count) },
  { name: "Last answer", isNumber: true, isWide: true, cell: ({ last_status }) => last_status ?? "–" },
  { name: "Next attempt", isWide: true, cell: ({ next_attempt_at }) => <Instant at={next_attempt_at} /> },
];

const toneOf = (state: string) =>
  (({ delivered: "good", exhausted: "bad", cancelled: "plain" }) as const)[state] ?? "warn";

const STATES = ["pending", "parked", "delivered", "exhausted", "cancelled"] as const;

/** An endpoint: how its deliveries go, a test, and its newest messages with their attempts. */
export function EndpointDetail({
  endpoint,
  eventId,
}: {
  readonly endpoint: Endpoint;
  readonly eventId: string | null;
}) {
  const [status, setStatus] = useState("");
  const load = useLoad(`messages ${endpoint.id} ${status}`, (signal) => listMessages(endpoint.id, status, signal));
  const chosen = load.value?.data.find(({ event_id }) => event_id === eventId);
  return (
    <>
      <EndpointFacts endpoint={endpoint} messages={load.value?.data ?? []} />
      <TestForm endpoint={endpoint} sent={load.reload} />
      <Section
        title="Messages"
        note="The newest 50."
        actions={
          <>
            <select aria-label="State" value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
              <option value="">all states</option>
              {STATES.map((state) => (
                <option key={state} value={state}>
                  {state}
                </option>
              ))}
            </select>
            <button type="button" onClick={load.reload}>
              Refresh
            </button>
          </>
        }
      >
        {chosen ? (
          <Delivery key={chosen.event_id} endpoint={endpoint} eventId={chosen.event_id} userId={chosen.user_id} />
        ) : null}
        <Loaded load={load}>
          {({ data }) =>
            data.length === 0 ? (
              <Empty title="No messages">Send a test event, or choose all states.</Empty>
            ) : (
              <Table
                label="Newest messages"
                isTall
                columns={messageColumns(endpoint.id)}
                rows={data}
                keyOf={({ event_id }) => event_id}
                isCurrent={({ event_id }) => event_id === eventId}
              />
            )
          }
        </Loaded>
      </Section>
    </>
  );
}

function EndpointFacts({ endpoint, messages }: { readonly endpoint: Endpoint; readonly messages: readonly Message[] }) {
  const delivered = messages.filter(({ state }) => state === "delivered").length;
  const { filter_types, format, rate_limit } = endpoint;
  return (
    <Facts
      facts={[
        ["Delivered", messages.length === 0 ? "–" : `${delivered} of the shown ${messages.length}`],
        ["Event types", filter_types.length === 0 ? "all" : filter_types.join(", ")],
        ["Format", format],
        ["Rate limit", rate_limit === null ? "none" : `${rate_limit} a second`],
      ]}
    />
  );
}

function TestForm({ endpoint, sent }: { readonly endpoint: Endpoint; readonly sent: () => void }) {
  const [said, setSaid] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const type = String(new FormData(event.currentTarget as HTMLFormElement).get("type")).trim();
    try {
      await sendTest(endpoint.id, type);
      setSaid("Test event sent.");
      setTimeout(sent, 1_500);
    } catch (error) {
      setSaid(toProblem(error).message);
    }
  };
  return (
    <form class="row" onSubmit={submit}>
      <input
        class="search"
        name="type"
        aria-label="Type of the test event"
        defaultValue="daily.data.activity.created"
        required
        autoComplete="off"
        spellcheck={false}
      />
      <button type="submit" disabled={endpoint.disabled}>
        Send a test event
      </button>
      <span class="quiet small" role="status">
        {said}
      </span>
    </form>
  );
}
