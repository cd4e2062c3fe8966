import type { FeedEvent } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { listEndpoints } from "../../api/webhooks.ts";
import { CopyId } from "../../parts/copy-id.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Json } from "../../parts/json.tsx";
import { Link } from "../../parts/link.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Delivery } from "../webhooks/delivery.tsx";

interface EventDetailProps {
  readonly event: FeedEvent;
  readonly close: () => void;
}

/** One event: its body, and who received it. */
export function EventDetail({ event, close }: EventDetailProps) {
  const { sequence, event_id, body } = event;
  const load = useLoad("endpoints", listEndpoints);
  const userId = body?.user_id;
  return (
    <div class="card">
      <Section
        title={body?.event_type ?? "Event of a deleted user"}
        actions={
          <button type="button" onClick={close}>
            Close
          </button>
        }
      >
        <Facts
          facts={[
            ["Sequence", formatNumber(sequence)],
            ["Event id", <CopyId key="id" id={event_id} label="event id" />],
            [
              "User",
              userId ? (
                <Link key="user" to={`/users/${userId}`}>
                  {body?.client_user_id ?? userId}
                </Link>
              ) : (
                "none"
              ),
            ],
          ]}
        />
        <h3>Who received it</h3>
        <Loaded load={load} lines={2}>
          {(endpoints) =>
            endpoints.length === 0 ? (
              <Empty title="No endpoint">The team has no webhook endpoint.</Empty>
            ) : (
              <div class="stack">
                {endpoints.map((endpoint) => (
                  <Delivery key={`${endpoint.id} ${event_id}`} endpoint={endpoint} eventId={event_id} userId={userId} />
                ))}
              </div>
            )
          }
        </Loaded>
        <h3>Body</h3>
        <Json label="Body of the event" value={body} />
      </Section>
    </div>
  );
}
