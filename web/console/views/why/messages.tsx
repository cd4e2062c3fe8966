import { type FeedEvent, listNewestEvents } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { EventType } from "../../parts/event-type.tsx";
import { Link } from "../../parts/link.tsx";
import type { Measure } from "../../parts/measures.ts";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { sampleCount } from "../events/sample-count.ts";

const SEARCHED_EVENTS = 500;

const columns: readonly Column<FeedEvent>[] = [
  { name: "Sequence", isNumber: true, cell: ({ sequence }) => formatNumber(sequence) },
  {
    name: "Event",
    cell: ({ sequence, body }) => (
      <Link to={`/events?sequence=${sequence}`} isItem>
        <EventType type={body?.event_type} />
      </Link>
    ),
  },
  { name: "Carries", isWide: true, cell: ({ body }) => <span class="quiet">{sampleCount(body?.data)}</span> },
  { name: "Event id", isWide: true, cell: ({ event_id }) => <code>{event_id}</code> },
];

/** The events that told of data of this kind. */
export function Messages({ userId, measure }: { readonly userId: string; readonly measure: Measure }) {
  const load = useLoad(`messages ${userId} ${measure.name}`, async (signal) => {
    const events = await listNewestEvents(SEARCHED_EVENTS, signal);
    const isMeant = (type: string) => type.split(".")[2] === measure.eventName;
    return events.filter(({ body }) => body?.user_id === userId && isMeant(body.event_type));
  });
  return (
    <Section title="Events that told of it" note={`Among the newest ${SEARCHED_EVENTS} events of the team.`}>
      <Loaded load={load} lines={2}>
        {(events) =>
          events.length === 0 ? (
            <Empty title="No such event">The data may be older than these events, or nothing has changed.</Empty>
          ) : (
            <Table label="Events" isTall columns={columns} rows={events} keyOf={({ event_id }) => event_id} />
          )
        }
      </Loaded>
    </Section>
  );
}
