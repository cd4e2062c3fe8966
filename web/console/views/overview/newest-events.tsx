import { type FeedEvent, listNewestEvents } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { EventType } from "../../parts/event-type.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { sampleCount } from "../events/sample-count.ts";

const SHOWN = 8;

const columns: readonly Column<FeedEvent>[] = [
  { name: "Sequence", isNumber: true, cell: ({ sequence }) => formatNumber(sequence) },
  {
    name: "Type",
    cell: ({ sequence, body }) => (
      <Link to={`/events?sequence=${sequence}`} isItem>
        <EventType type={body?.event_type} />
      </Link>
    ),
  },
  { name: "Carries", isWide: true, cell: ({ body }) => <span class="quiet">{sampleCount(body?.data)}</span> },
];

/** The newest events of the team. */
export function NewestEvents() {
  const load = useLoad("newest events", (signal) => listNewestEvents(SHOWN, signal));
  return (
    <Section title="Newest events" actions={<Link to="/events">Follow live</Link>}>
      <Loaded load={load}>
        {(events) =>
          events.length === 0 ? (
            <Empty title="No events in the last 30 days" />
          ) : (
            <Table label="Events" columns={columns} rows={events} keyOf={({ event_id }) => event_id} />
          )
        }
      </Loaded>
    </Section>
  );
}
