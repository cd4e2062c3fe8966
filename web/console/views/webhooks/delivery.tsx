import { useState } from "preact/hooks";
import { Problem } from "../../api/request.ts";
import { toProblem, useLoad } from "../../api/use-load.ts";
import { type Attempt, type Endpoint, listAttempts, resend } from "../../api/webhooks.ts";
import { Badge } from "../../parts/badge.tsx";
import { Instant } from "../../parts/instant.tsx";
import { formatNumber } from "../../parts/numbers.ts";
import { Loaded } from "../../parts/states.tsx";
import { WithReason } from "../user/reason-form.tsx";

/** The receiver has usually answered by then. */
const ANSWER_MS = 1_500;

interface DeliveryProps {
  readonly endpoint: Endpoint;
  readonly eventId: string;
  readonly userId: string | null | undefined;
}

/** The attempts to deliver an event to an endpoint, once the person has said why they look at its user. */
export function Delivery(props: DeliveryProps) {
  return (
    <WithReason userId={props.userId}>
      <Attempts {...props} />
    </WithReason>
  );
}

/** The attempts, and a button that sends the event again. */
function Attempts({ endpoint, eventId, userId }: DeliveryProps) {
  const [said, setSaid] = useState("");
  const load = useLoad(`attempts ${endpoint.id} ${eventId}`, (signal) =>
    listAttempts(endpoint.id, eventId, userId, signal).catch(noneIfUnknown),
  );
  const again = async () => {
    try {
      await resend(endpoint.id, eventId, userId);
      setSaid("Sent again.");
      setTimeout(load.reload, ANSWER_MS);
    } catch (error) {
      setSaid(toProblem(error).message);
    }
  };
  return (
    <div class="delivery">
      <p class="row">
        <strong class="url">{endpoint.description || endpoint.url}</strong>
        {endpoint.disabled ? <Badge state="disabled" /> : null}
        <button type="button" onClick={again} disabled={endpoint.disabled}>
          Send again
        </button>
        <span class="quiet small" role="status">
          {said}
        </span>
      </p>
      <Loaded load={load} lines={1}>
        {(attempts) =>
          attempts.length === 0 ? (
            <p class="quiet">Not sent to this endpoint: its filter leaves it out, or the first attempt is due.</p>
          ) : (
            <ol class="attempts">
              {attempts.map((attempt) => (
                <AttemptLine key={attempt.at} attempt={attempt} />
              ))}
            </ol>
          )
        }
      </Loaded>
    </div>
  );
}

/** An endpoint that does not have the message answers 404. */
function noneIfUnknown(error: unknown): readonly Attempt[] {
  if (error instanceof Problem && error.status === 404) return [];
  throw error;
}

function AttemptLine({ attempt: { at, status, duration_ms, response, error } }: { readonly attempt: Attempt }) {
  const isGood = status !== null && status >= 200 && status < 300;
  const outcome = status === null ? (error ?? "no answer") : `HTTP ${status}`;
  return (
    <li>
      <span class="row">
        <Instant at={at} /> <Badge state={outcome} tone={isGood ? "good" : "bad"} />
        <span class="quiet">{formatNumber(duration_ms)} ms</span>
      </span>
      {response ? <pre class="response">{response}</pre> : null}
    </li>
  );
}
