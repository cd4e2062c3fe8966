import type { OrderEvent } from "../../api/orders.ts";
import { Instant } from "../../parts/instant.tsx";
import { humanize } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { formatDuration } from "../../parts/time.ts";

/** Pauses that are worth a word, seconds. */
const NAMED_PAUSE_SECONDS = 60;
const DAY_SECONDS = 86_400;

/** The pause before a step, in words: `3 days later`; empty for a short one. */
function pauseOf({ created_at }: OrderEvent, before: OrderEvent | undefined): string {
  if (!before) return "";
  const seconds = (Date.parse(created_at) - Date.parse(before.created_at)) / 1_000;
  if (seconds < NAMED_PAUSE_SECONDS) return "";
  if (seconds < 2 * DAY_SECONDS) return `${formatDuration(seconds)} later`;
  return `${Math.round(seconds / DAY_SECONDS)} days later`;
}

/** The steps of an order as a timeline, the newest last. */
export const OrderSteps = ({ events }: { readonly events: readonly OrderEvent[] }) => (
  <Section title="Steps">
    <ol class="timeline" aria-label="Steps of the order">
      {events.map((event, place) => (
        <li key={event.id} class={place === events.length - 1 ? "latest" : ""} title={event.status}>
          <strong>{humanize(event.status.split(".").at(-1) ?? event.status)}</strong>{" "}
          {event.status_detail ? <span>{humanize(event.status_detail)} </span> : null}
          <span class="quiet small">
            <Instant at={event.created_at} /> {pauseOf(event, events[place - 1])}
          </span>
        </li>
      ))}
    </ol>
  </Section>
);
