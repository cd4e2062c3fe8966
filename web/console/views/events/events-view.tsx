import { useState } from "preact/hooks";
import type { FeedEvent } from "../../api/events.ts";
import { navigate } from "../../app/route.ts";
import { Page } from "../../parts/page.tsx";
import { Empty, Loading, ProblemNote } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { carriesColumn, eventColumns } from "./event-columns.tsx";
import { EventDetail } from "./event-detail.tsx";
import { useTail } from "./use-tail.ts";

const columns: readonly Column<FeedEvent>[] = [
  ...eventColumns,
  carriesColumn,
  { name: "Client user id", isWide: true, cell: ({ body }) => body?.client_user_id ?? "" },
];

/** Whether an event has a word in its type or ids. */
const matches = ({ event_id, body }: FeedEvent, word: string) =>
  [event_id, body?.event_type, body?.user_id, body?.client_user_id].some((text) => text?.toLowerCase().includes(word));

/** The events of the team as they happen, with their bodies, attempts and replay. */
export function EventsView({ query }: { readonly query: URLSearchParams }) {
  const [isLive, setLive] = useState(true);
  const [word, setWord] = useState("");
  const { events, problem, retry } = useTail(isLive);
  const sequence = Number(query.get("sequence"));
  const selected = events?.find((event) => event.sequence === sequence);
  const shown = events?.filter((event) => matches(event, word.trim().toLowerCase()));
  return (
    <Page title="Events">
      <div class="row">
        <input
          class="search"
          type="search"
          aria-label="Filter events"
          placeholder="Part of a type, or an id"
          autoComplete="off"
          spellcheck={false}
          value={word}
          onInput={(event) => setWord(event.currentTarget.value)}
        />
        <button type="button" aria-pressed={isLive} onClick={() => setLive(!isLive)}>
          {isLive ? "Live" : "Paused"}
        </button>
        <span class="quiet small">The newest events of the team, in the order of their sequence.</span>
      </div>
      {problem ? <ProblemNote problem={problem} retry={retry} /> : null}
      <div class={selected ? "split" : "stack"}>
        {shown ? (
          <EventList events={shown} isFiltered={word !== ""} sequence={sequence} />
        ) : problem ? null : (
          <Loading />
        )}
        {selected ? <EventDetail event={selected} close={() => navigate("/events")} /> : null}
      </div>
    </Page>
  );
}

interface EventListProps {
  readonly events: readonly FeedEvent[];
  readonly isFiltered: boolean;
  readonly sequence: number;
}

function EventList({ events, isFiltered, sequence }: EventListProps) {
  if (events.length === 0)
    return isFiltered ? (
      <Empty title="No event matches">Only the events on this page are searched. Clear the filter to see them.</Empty>
    ) : (
      <Empty title="No events in the last 30 days">Events appear here as data, connections and orders change.</Empty>
    );
  return (
    <Table
      label="Newest events"
      isTall
      columns={columns}
      rows={events}
      keyOf={({ event_id }) => event_id}
      isCurrent={(event) => event.sequence === sequence}
    />
  );
}
