import type { FeedEvent } from "../../api/events.ts";
import { EventType } from "../../parts/event-type.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import type { Column } from "../../parts/table.tsx";
import { sampleCount } from "./sample-count.ts";

/** The columns by which a list names events, with a link to each. */
export const eventColumns: readonly Column<FeedEvent>[] = [
  { name: "Sequence", isNumber: true, cell: ({ sequence }) => formatNumber(sequence) },
  {
    name: "Type",
    cell: ({ sequence, body }) => (
      <Link to={`/events?sequence=${sequence}`} isItem>
        <EventType type={body?.event_type} />
      </Link>
    ),
  },
];

/** What the data of an event hold. */
export const carriesColumn: Column<FeedEvent> = {
  name: "Carries",
  isWide: true,
  cell: ({ body }) => <span class="quiet">{sampleCount(body?.data)}</span>,
};
