import type { Load } from "../../api/use-load.ts";
import type { Endpoint, Message, MessageList } from "../../api/webhooks.ts";
import { Badge } from "../../parts/badge.tsx";
import { EventType } from "../../parts/event-type.tsx";
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
    cell: ({ state, reason }) => (
      <Badge state={[STATES[state] ?? state, reason].filter(Boolean).join(": ")} tone={toneOf(state)} />
    ),
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

/** The states of messages, in words. */
const STATES: Readonly<Record<string, string>> = {
  pending: "pending",
  parked: "on hold",
  delivered: "delivered",
  exhausted: "failed",
  cancelled: "cancelled",
};

interface MessagesProps {
  readonly endpoint: Endpoint;
  readonly eventId: string | null;
  readonly load: Load<MessageList>;
  /** The state to which the list is limited; empty for all. */
  readonly status: string;
  readonly setStatus: (status: string) => void;
}

/** The newest messages of an endpoint, and the attempts of the chosen one. */
export function Messages({ endpoint, eventId, load, status, setStatus }: MessagesProps) {
  const chosen = load.value?.data.find(({ event_id }) => event_id === eventId);
  return (
    <Section
      title="Messages"
      note="The newest 50."
      actions={
        <>
          <select aria-label="State" value={status} onChange={(event) => setStatus(event.currentTarget.value)}>
            <option value="">all states</option>
            {Object.entries(STATES).map(([state, words]) => (
              <option key={state} value={state}>
                {words}
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
  );
}
