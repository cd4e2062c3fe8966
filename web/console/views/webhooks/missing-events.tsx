import { useState } from "preact/hooks";
import { type FeedEvent, listEvents } from "../../api/events.ts";
import { useLoad } from "../../api/use-load.ts";
import { type Endpoint, listMessageIds } from "../../api/webhooks.ts";
import { Field, fieldText } from "../../forms/field.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Section } from "../../parts/page.tsx";
import { Empty, Loaded } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { eventColumns } from "../events/event-columns.tsx";

/** Most events that one search compares. */
const COMPARED = 500;

/** The events after a sequence that match the filter of an endpoint and have no message there. */
async function findMissing({ id, filter_types }: Endpoint, after: number, signal: AbortSignal) {
  const [{ events }, known] = await Promise.all([listEvents(after, COMPARED, signal), listMessageIds(id, signal)]);
  const isWanted = ({ body }: FeedEvent) =>
    body !== null && (filter_types.length === 0 || filter_types.includes(body.event_type));
  const wanted = events.filter(isWanted);
  return { compared: wanted.length, missing: wanted.filter(({ event_id }) => !known.has(event_id)) };
}

/** Compares the feed with the messages of an endpoint, from a sequence on. */
export function MissingEvents({ endpoint }: { readonly endpoint: Endpoint }) {
  const [after, setAfter] = useState<number>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    setAfter(Number(fieldText(new FormData(event.currentTarget as HTMLFormElement), "after")));
  };
  return (
    <Section
      title="Missing events"
      note={`Compares up to ${COMPARED} events of the feed with the newest messages of this endpoint.`}
    >
      <form class="row fields" onSubmit={submit}>
        <Field label="After the sequence">
          <input name="after" type="number" min={0} required defaultValue="0" />
        </Field>
        <button type="submit">Compare</button>
      </form>
      {after === undefined ? null : <Missing endpoint={endpoint} after={after} />}
    </Section>
  );
}

function Missing({ endpoint, after }: { readonly endpoint: Endpoint; readonly after: number }) {
  const load = useLoad(`missing ${endpoint.id} ${after}`, (signal) => findMissing(endpoint, after, signal));
  return (
    <Loaded load={load} lines={2}>
      {({ compared, missing }) =>
        missing.length === 0 ? (
          <Empty title="Nothing is missing">
            {`Each of ${formatNumber(compared)} events that match the filter has a message.`}
          </Empty>
        ) : (
          <>
            <p>
              {formatNumber(missing.length)} of {formatNumber(compared)} events have no message. Replay sends the events
              that the endpoint never received.
            </p>
            <Table label="Missing" isTall columns={eventColumns} rows={missing} keyOf={({ event_id }) => event_id} />
          </>
        )
      }
    </Loaded>
  );
}
