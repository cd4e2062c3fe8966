import { useState } from "preact/hooks";
import { toProblem, useLoad } from "../../api/use-load.ts";
import { type Endpoint, listMessages, type Message, sendTest } from "../../api/webhooks.ts";
import { Facts } from "../../parts/facts.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { Messages } from "./messages.tsx";
import { MissingEvents } from "./missing-events.tsx";
import { ReplayForm } from "./replay-form.tsx";

interface EndpointDetailProps {
  readonly endpoint: Endpoint;
  readonly eventId: string | null;
  /** Called after each change of the endpoint. */
  readonly changed: () => void;
  readonly rights: { readonly mayChange: boolean; readonly mayReplay: boolean };
}

/** An endpoint: how its deliveries go, changes, tests, replay, and its newest messages with their attempts. */
export function EndpointDetail({ endpoint, eventId, changed, rights }: EndpointDetailProps) {
  const [status, setStatus] = useState("");
  const load = useLoad(`messages ${endpoint.id} ${status}`, (signal) => listMessages(endpoint.id, status, signal));
  return (
    <>
      {rights.mayChange ? <EndpointActions endpoint={endpoint} changed={changed} /> : null}
      <EndpointFacts endpoint={endpoint} messages={load.value?.data ?? []} />
      <TestForm endpoint={endpoint} sent={load.reload} />
      <Messages endpoint={endpoint} eventId={eventId} load={load} status={status} setStatus={setStatus} />
      {rights.mayReplay ? <ReplayForm endpoint={endpoint} done={load.reload} /> : null}
      <MissingEvents endpoint={endpoint} />
    </>
  );
}

const shareOf = (part: number, all: number) => `${part} of the shown ${all}, ${Math.round((part / all) * 100)} %`;

function EndpointFacts({ endpoint, messages }: { readonly endpoint: Endpoint; readonly messages: readonly Message[] }) {
  const delivered = messages.filter(({ state }) => state === "delivered").length;
  const { filter_types, format, rate_limit } = endpoint;
  return (
    <Facts
      facts={[
        ["Delivered", messages.length === 0 ? "–" : shareOf(delivered, messages.length)],
        ["Event types", filter_types.length === 0 ? "all" : filter_types.join(", ")],
        ["Format", format],
        ["Rate limit", rate_limit === null ? "none" : `${rate_limit} a second`],
      ]}
    />
  );
}

function TestForm({ endpoint, sent }: { readonly endpoint: Endpoint; readonly sent: () => void }) {
  const [said, setSaid] = useState("");
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const type = String(new FormData(event.currentTarget as HTMLFormElement).get("type")).trim();
    try {
      await sendTest(endpoint.id, type);
      setSaid("Test event sent.");
      setTimeout(sent, 1_500);
    } catch (error) {
      setSaid(toProblem(error).message);
    }
  };
  return (
    <form class="row" onSubmit={submit}>
      <input
        class="search"
        name="type"
        aria-label="Type of the test event"
        defaultValue="daily.data.activity.created"
        required
        autoComplete="off"
        spellcheck={false}
      />
      <button type="submit" disabled={endpoint.disabled}>
        Send a test event
      </button>
      <span class="quiet small" role="status">
        {said}
      </span>
    </form>
  );
}
