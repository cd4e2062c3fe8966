import { listNewestEvents } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { Link } from "../../parts/link.tsx";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { carriesColumn, eventColumns } from "../events/event-columns.tsx";

const SHOWN = 8;

const columns = [...eventColumns, carriesColumn];

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
