import { type FeedEvent, listNewestEvents } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { getHistories } from "../../api/users.ts";
import { readsEvents, session } from "../../app/session.ts";
import { Badge } from "../../parts/badge.tsx";
import { EventType } from "../../parts/event-type.tsx";
import { Instant } from "../../parts/instant.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber, humanize, nameProvider } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { historyOf } from "./history-words.ts";

/** How many of the team's newest events the timeline searches. */
const SEARCHED_EVENTS = 500;

const EVENTS_TOO = `, and the user's events among the team's newest ${SEARCHED_EVENTS}.`;

/** Something that came in: a pulled history, or an event of new data. */
interface Entry {
  readonly key: string;
  readonly at: string | null;
  readonly what: string;
  readonly detail: string;
  readonly state?: string;
  /** The event, if it is one. */
  readonly sequence?: number;
}

async function loadTimeline(userId: string, signal: AbortSignal): Promise<readonly Entry[]> {
  const [histories, events] = await Promise.all([
    getHistories(userId, signal),
    readsEvents(session.get()) ? listNewestEvents(SEARCHED_EVENTS, signal) : [],
  ]);
  const pulls = Object.entries(histories).flatMap(([provider, { pulled }]) =>
    Object.entries(pulled).map(
      ([resource, { timeline, status, days_with_data, error_details }]): Entry => ({
        key: `pull ${provider} ${resource}`,
        at: timeline.ended_at ?? timeline.started_at ?? timeline.scheduled_at,
        what: `${humanize(resource)} from ${nameProvider(provider)}`,
        detail: error_details ? humanize(error_details) : historyOf(resource, days_with_data),
        state: status,
      }),
    ),
  );
  const own = events.filter(({ body }) => body?.user_id === userId).map(toEntry);
  return [...pulls, ...own].sort((one, other) => (other.at ?? "").localeCompare(one.at ?? ""));
}

/** The event as an entry. Its data say when the service stored them, if they are a summary. Those of a history do not. */
function toEntry({ event_id, sequence, body }: FeedEvent): Entry {
  const data = body?.data as Record<string, unknown> | undefined;
  const steps = Array.isArray(data?.events) ? (data.events as readonly { readonly created_at?: unknown }[]) : [];
  const times = [data?.updated_at, data?.created_at, steps.at(-1)?.created_at];
  const at = times.find((value) => typeof value === "string");
  return {
    key: event_id,
    at: at ?? null,
    what: body?.event_type ?? "deleted",
    sequence,
    detail: `event ${formatNumber(sequence)}${countOf(data)}`,
  };
}

function countOf(data: Record<string, unknown> | undefined): string {
  return Array.isArray(data?.data) ? `, ${formatNumber(data.data.length)} samples` : "";
}

const columns: readonly Column<Entry>[] = [
  { name: "When", cell: ({ at }) => <Instant at={at} /> },
  { name: "What", cell: (entry) => <What entry={entry} /> },
  { name: "Detail", isWide: true, cell: ({ detail }) => <span class="quiet">{detail}</span> },
  { name: "State", isWide: true, cell: ({ state }) => (state ? <Badge state={state} /> : null) },
];

function What({ entry: { what, sequence } }: { readonly entry: Entry }) {
  if (sequence === undefined) return <>{what}</>;
  return (
    <Link to={`/events?sequence=${sequence}`} isItem>
      <EventType type={what} />
    </Link>
  );
}

/** What came in for a user: pulled histories, and the events among the newest of the team. */
export function Timeline({ userId }: { readonly userId: string }) {
  const load = useLoad(`timeline ${userId}`, (signal) => loadTimeline(userId, signal));
  return (
    <Section title="What came in" note={`Pulled histories${readsEvents(session.get()) ? EVENTS_TOO : "."}`}>
      <Loaded load={load}>
        {(entries) =>
          entries.length === 0 ? (
            <Empty title="Nothing yet">Data appears here after the first pull, push or batch of this user.</Empty>
          ) : (
            <Table label="Entries" isTall columns={columns} rows={entries} keyOf={({ key }) => key} />
          )
        }
      </Loaded>
    </Section>
  );
}
